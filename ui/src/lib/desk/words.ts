import { called } from "../people.svelte"
import { area } from "../words/words.svelte"

export const t = area(
  {
    amount: "Amount",
    amount_wrong: "Key in an amount such as 1,250 or 1,250.50.",
    number_wrong: "Key in a number.",
    whole_number_wrong: "Key in a whole number.",
    between_wrong: "Key in a whole number from {from} to {to}.",
    clear: "Clear",
    asks_second: "Nothing moves until a second person has confirmed it.",
    now_waits: "It waits for a second person.",
    program_differs: "The program differs",
    program_held: "Tables that deal by themselves finish their round and open no other until two people release it.",
    table_held: "The program has changed: no further round opens at a table that deals by itself until two people release it. Call the shift manager.",
    program_warns: "This house deals all the same: it is a demonstration, or runs from its source.",
    program_release: "Release",
    program_asks_second: "Nothing is dealt until a second person has confirmed it.",
    now_waits_guest: "It waits for the guest, who confirms it in their own session.",
    guest_confirms: "The guest confirms",
    by_session: "in their own session",
    by_pin: "with their PIN, here",
    by_card: "with their card, here",
    pin: "PIN",
    card: "Player's card",
    guest_buy_in: "{person} asks to move {amount} from your wallet to {table}. That lets the dealer place bets you ask for until you cash out or leave.",
    guest_withdraw: "{person} asks to pay you {amount} out of your wallet at the cage.",
    guest_yes: "Confirm",
    guest_declined: "declined by the guest",
    chips: "Chips in circulation",
    account_drop: "Drop of {table}",
    what_Deposit: "Deposit of {amount} for {person}",
    what_Withdraw: "Withdrawal of {amount} by {person}",
    what_BuyIn: "Buy-in of {person} at {table}: {amount}",
    what_CollectDrop: "Collect the drop of {table}: {amount} counted",
    waits_for_guest: "waits for {person}, who confirms it in their own session",
    waits_for_second: "waits for a second person",
    reason: "Reason",
    reason_hint: "One line, recorded in the journal",
    copy: "Copy",
    copied: "Copied",
    print: "Print",
    search: "Search",
    nothing: "Nothing to show.",
    refresh: "Refresh",
    more: "Show more",
    sending: "Sent, waiting for the house…",
    cage: "Cage",
    adjustments: "Adjustments",
    account_wallet: "Wallet of {person}",
    account_purse: "Purse of {person} at {table}",
    account_receivable: "Owed by {person} at {table}",
    account_float: "Float of {table}",
    account_stakes: "On the layout of {table}",
    account_commission: "Commission at {table}",
    confirm_second: "Confirm as second person",
    decline: "Decline",
    take_back: "Take back",
    why_not: "Why not?",
    asked_by: "asked by {person}, {at}",
    for_you: "For you to confirm",
    yours: "Asked by you",
    none_waiting: "Nothing waits for a second person.",
    what_Fill: "Fill: {amount} from the cage to {table}",
    what_Credit: "Credit: {amount} from {table} back to the cage",
    what_AdjustWallet: "Adjust the wallet of {person} by {amount}",
    what_AdjustFloat: "Adjust the float of {table} by {amount}",
    what_ReleaseProgram: "Let the house deal with the changed program {digest}",
    what_other: "{type} at {table}",
    sign_in_name: "Sign-in name",
    name_hint: "Small letters, digits, dot, dash or underscore; it stays for good",
    called: "How they are called",
    with_password: "Give a one-time password at once",
    admitted: "{person} was admitted.",
    password: "One-time password",
    password_text: "Shown this once. It must be changed at the first sign-in.",
    disabled: "Disabled",
    confirmed: "Confirmed and done.",
    declined: "Declined.",
  },
  {
    amount: "金额",
    amount_wrong: "请输入金额，例如 1,250 或 1,250.50。",
    number_wrong: "请输入数字。",
    whole_number_wrong: "请输入整数。",
    between_wrong: "请输入 {from} 至 {to} 的整数。",
    clear: "清除",
    asks_second: "须由第二人确认后才会生效。",
    now_waits: "等待第二人确认。",
    program_differs: "程序有变更",
    program_held: "自动发牌的牌桌打完本局后不再开新局，须两人放行。",
    table_held: "程序已有改动：自动发牌的牌桌不再开新局，须两人放行。请通知值班经理。",
    program_warns: "本场照常发牌：这是演示，或直接从源代码运行。",
    program_release: "放行",
    program_asks_second: "须第二人确认后才恢复发牌。",
    now_waits_guest: "等待客人在本人登录中确认。",
    guest_confirms: "客人确认方式",
    by_session: "本人登录",
    by_pin: "在此输入 PIN 码",
    by_card: "在此刷会员卡",
    pin: "PIN 码",
    card: "会员卡",
    guest_buy_in: "{person} 请求将 {amount} 从您的钱包转到 {table}。在您兑出或离开之前，荷官可应您的要求代您下注。",
    guest_withdraw: "{person} 请求在账房从您的钱包付给您 {amount}。",
    guest_yes: "确认",
    guest_declined: "客人拒绝",
    chips: "流通筹码",
    account_drop: "{table} 的钱箱",
    what_Deposit: "为 {person} 存入 {amount}",
    what_Withdraw: "{person} 提取 {amount}",
    what_BuyIn: "{person} 在 {table} 买入 {amount}",
    what_CollectDrop: "收取 {table} 钱箱：清点 {amount}",
    waits_for_guest: "等待 {person} 在本人登录中确认",
    waits_for_second: "等待第二人确认",
    reason: "理由",
    reason_hint: "一行文字，将记入日志",
    copy: "复制",
    copied: "已复制",
    print: "打印",
    search: "搜索",
    nothing: "没有内容。",
    refresh: "刷新",
    more: "显示更多",
    sending: "已发送，等待系统确认…",
    cage: "账房",
    adjustments: "调整",
    account_wallet: "{person} 的钱包",
    account_purse: "{person} 在 {table} 的余额",
    account_receivable: "{person} 在 {table} 的欠款",
    account_float: "{table} 的筹码盘",
    account_stakes: "{table} 台面投注",
    account_commission: "{table} 的佣金",
    confirm_second: "作为第二人确认",
    decline: "拒绝",
    take_back: "撤回",
    why_not: "理由？",
    asked_by: "{person} 申请，{at}",
    for_you: "等您确认",
    yours: "您的申请",
    none_waiting: "没有等待第二人确认的事项。",
    what_Fill: "补码：{amount} 由账房送至 {table}",
    what_Credit: "退码：{amount} 由 {table} 退回账房",
    what_AdjustWallet: "调整 {person} 的钱包：{amount}",
    what_AdjustFloat: "调整 {table} 的筹码盘：{amount}",
    what_ReleaseProgram: "放行已变更的程序 {digest}，恢复自动发牌",
    what_other: "{table}：{type}",
    sign_in_name: "登录名",
    name_hint: "小写字母、数字、点、横线或下划线；不可更改",
    called: "称呼",
    with_password: "同时给予一次性密码",
    admitted: "已登记 {person}。",
    password: "一次性密码",
    password_text: "只显示这一次。首次登录时必须更改。",
    disabled: "已停用",
    confirmed: "已确认并生效。",
    declined: "已拒绝。",
  },
)

/** An account as people call it. */
export function accountWords(account: string): string {
  const [kind, first = "", second = ""] = account.split(":")
  switch (kind) {
    case "cage":
    case "adjustments":
    case "chips":
      return t(kind)
    case "wallet":
      return t("account_wallet", { person: called(first) })
    case "float":
    case "stakes":
    case "commission":
    case "drop":
      return t(`account_${kind}`, { table: first })
    case "purse":
    case "receivable":
      return t(`account_${kind}`, { table: first, person: called(second) })
    default:
      return account
  }
}

const kinds = area(
  {
    buy_in: "Buy-in", cash_out: "Cash-out", stake: "Stake", win: "Win", loss: "Loss", commission: "Commission",
    push: "Returned", return_unplayed: "Returned unplayed", return_option: "Taken back by option",
    void_refund: "Refund of a void round", reversal: "Settlement taken back", set_off: "Set off against a debt",
    deposit: "Deposit", withdrawal: "Withdrawal", fill: "Fill", credit: "Credit", drop: "Drop", adjustment: "Adjustment",
  },
  {
    buy_in: "买入", cash_out: "兑出", stake: "投注", win: "赢得", loss: "输", commission: "佣金", push: "退还",
    return_unplayed: "未参与部分退还", return_option: "选择取回", void_refund: "作废局退款", reversal: "撤销结算",
    set_off: "抵销欠款", deposit: "存入", withdrawal: "提取", fill: "补码", credit: "退码", drop: "钱箱", adjustment: "调整",
  },
)
type Kind = Parameters<typeof kinds>[0]

export function kindWords(kind: string): string {
  return kinds(kind as Kind) ?? kind
}
