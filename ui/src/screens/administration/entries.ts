/** The journal in words. */

import { asked } from "../../lib/desk/waiting"
import { called } from "../../lib/people.svelte"
import { accountWords, kindWords } from "../../lib/desk/words"
import { show, signed } from "../../lib/money"
import type { AnyEntry } from "../../lib/wire"
import { postWords } from "../../lib/words/common"
import { area, listed } from "../../lib/words/words.svelte"

type Type = AnyEntry["type"]

const t = area<Type>(
  {
    PersonAdmitted: "{title} was admitted with the sign-in name {person}",
    RoleGiven: "{person} was made {post}: {scope}",
    RoleTaken: "{person} lost their post: {scope}",
    PersonDisabled: "{person} was disabled: {reason}",
    PersonEnabled: "{person} was enabled again",
    PasswordSet: "A password of {person} was set{once}",
    ProofSet: "{person} has a new {how}",
    SignedIn: "{person} signed in",
    SignInRefused: "A sign-in as {person} was refused: {reason}",
    SignedOut: "{person} signed out{forced}",
    AccessDenied: "Access denied: {what}{times}",
    GameAdded: "The game {game} was added ({fingerprint})",
    TableAdded: "The table {table} was added: {game}{automatic}",
    DealingSet: "{table} deals {automatic}",
    TableRetired: "The table {table} was retired; its last round is final",
    TableFailed: "The table {table} stopped: {why}",
    TableRestarted: "The table {table} was started again",
    IncidentRaised: "Incident {number} at {table} (version {version}), {stage}: {error}",
    HouseOpened: "The house opened: version {program} ({digest})",
    ProgramChecked: "The program was checked: version {program} ({digest})",
    ProgramDiffers: "The program differs ({digest}): {files}",
    ProgramReleased: "The changed program was released ({digest}): {reason}",
    KeyRotated: "The key of the sealed rows was replaced",
    KeyLost: "The key of the sealed rows was declared lost ({keys})",
    HouseClosed: "The house closed{in_round}",
    ClockMoved: "The machine's clock was set by {by_ms} ms",
    Deposited: "{amount} deposited for {person}",
    Withdrawn: "{amount} paid out to {person}",
    FloatFilled: "Fill: {amount} to {table}",
    FloatCredited: "Credit: {amount} from {table}",
    FloatCounted: "The float of {table} was counted: {counted}, booked {booked}{apart}",
    DropCollected: "The drop of {table} was collected: {counted}, booked {booked}{apart}",
    CashierBalanced: "What {person} moved: {sums}",
    Adjusted: "{account} adjusted by {amount}: {reason}",
    SecondAsked: "Number {number} waits to be confirmed: {command}",
    SecondGiven: "Number {number} was confirmed{refused}",
    SecondDeclined: "Number {number} was declined: {reason}",
    AlertAcknowledged: "An alert of {table} was seen to ({which})",
  },
  {
    PersonAdmitted: "已登记 {title}，登录名 {person}",
    RoleGiven: "{person} 获授职位 {post}：{scope}",
    RoleTaken: "{person} 的职位已撤销：{scope}",
    PersonDisabled: "{person} 已停用：{reason}",
    PersonEnabled: "{person} 已重新启用",
    PasswordSet: "{person} 的密码已设定{once}",
    ProofSet: "{person} 的{how}已更新",
    SignedIn: "{person} 登录",
    SignInRefused: "以 {person} 登录被拒：{reason}",
    SignedOut: "{person} 登出{forced}",
    AccessDenied: "拒绝访问：{what}{times}",
    GameAdded: "已新增游戏 {game}（{fingerprint}）",
    TableAdded: "已新增牌桌 {table}：{game}{automatic}",
    DealingSet: "{table} 发牌：{automatic}",
    TableRetired: "牌桌 {table} 已停用，其最后一局最终确定",
    TableFailed: "牌桌 {table} 停止：{why}",
    TableRestarted: "牌桌 {table} 已重新启动",
    IncidentRaised: "事故 {number}，牌桌 {table}（版本 {version}），{stage}：{error}",
    HouseOpened: "系统开启：版本 {program}（{digest}）",
    ProgramChecked: "程序已核对：版本 {program}（{digest}）",
    ProgramDiffers: "程序有变更（{digest}）：{files}",
    ProgramReleased: "已放行变更的程序（{digest}）：{reason}",
    KeyRotated: "加密记录的密钥已更换",
    KeyLost: "加密记录的密钥已申报遗失（{keys}）",
    HouseClosed: "系统关闭{in_round}",
    ClockMoved: "机器时钟调整 {by_ms} 毫秒",
    Deposited: "为 {person} 存入 {amount}",
    Withdrawn: "向 {person} 支付 {amount}",
    FloatFilled: "补码：{amount} 至 {table}",
    FloatCredited: "退码：{amount} 自 {table}",
    FloatCounted: "{table} 筹码盘清点：{counted}，账面 {booked}{apart}",
    DropCollected: "{table} 钱箱已收取：{counted}，账面 {booked}{apart}",
    CashierBalanced: "{person} 经手：{sums}",
    Adjusted: "{account} 调整 {amount}：{reason}",
    SecondAsked: "第 {number} 号等待确认：{command}",
    SecondGiven: "第 {number} 号已确认{refused}",
    SecondDeclined: "第 {number} 号被拒绝：{reason}",
    AlertAcknowledged: "{table} 的提醒已处理（{which}）",
  },
)

const bits = area(
  {
    house: "the whole house", once: ", to be changed at once", forced: ", by force", times: " ({times} times)",
    itself: ", deals by itself", by_itself: "by itself", by_hand: "by hand", in_round: ", in a round: {tables}",
    apart: ", difference {amount}", refused: ", but refused: {reason}",
    incident: "incident {number}", event: "event {number}", entry: "entry {number} of the journal", pin: "PIN", card: "player's card", session: "session",
    deciding: "while deciding a command", publishing: "after a command took effect", dealing: "while dealing",
  },
  {
    house: "全场", once: "，须即时更改", forced: "（强制）", times: "（{times} 次）", itself: "，自动发牌", by_itself: "自动",
    by_hand: "荷官", in_round: "，局中：{tables}", apart: "，差额 {amount}", refused: "，但被拒：{reason}",
    incident: "事故 {number}", event: "事件 {number}", entry: "日志第 {number} 条", pin: "PIN 码", card: "会员卡", session: "登录",
    deciding: "处理指令时", publishing: "指令生效后", dealing: "发牌时",
  },
)

export const KINDS: { readonly [group in "people" | "signing" | "money" | "seconds" | "tables"]: readonly Type[] } = {
  people: ["PersonAdmitted", "RoleGiven", "RoleTaken", "PersonDisabled", "PersonEnabled", "PasswordSet", "ProofSet"],
  signing: ["SignedIn", "SignInRefused", "SignedOut", "AccessDenied"],
  money: [
    "Deposited", "Withdrawn", "FloatFilled", "FloatCredited", "FloatCounted", "DropCollected", "Adjusted",
    "CashierBalanced",
  ],
  seconds: ["SecondAsked", "SecondGiven", "SecondDeclined"],
  tables: [
    "TableAdded", "TableRetired", "TableFailed", "TableRestarted", "IncidentRaised", "DealingSet", "GameAdded",
    "AlertAcknowledged", "HouseOpened", "HouseClosed", "ClockMoved", "ProgramChecked", "ProgramDiffers",
    "ProgramReleased", "KeyRotated", "KeyLost",
  ],
}

/** One entry as a sentence; `why`: what the house says of the refusal it tells of. */
export function entryWords(entry: AnyEntry, why = ""): string {
  const said: { [name: string]: string | number } = {}
  for (const [name, value] of Object.entries(entry)) {
    if (typeof value === "string" || typeof value === "number") said[name] = value
  }
  if ("person" in entry && entry.type !== "PersonAdmitted" && entry.type !== "SignInRefused") said["person"] = called(entry.person)
  switch (entry.type) {
    case "RoleGiven":
      said["post"] = postWords(entry.post)
      said["scope"] = scopeWords(entry.scope)
      break
    case "RoleTaken":
      said["scope"] = scopeWords(entry.scope)
      break
    case "PasswordSet":
      said["once"] = entry.once ? bits("once") : ""
      break
    case "SignedOut":
      said["forced"] = entry.forced ? bits("forced") : ""
      break
    case "AccessDenied":
      said["times"] = (entry.times ?? 1) > 1 ? bits("times", { times: entry.times! }) : ""
      break
    case "GameAdded":
      said["fingerprint"] = entry.fingerprint.slice(0, 12)
      break
    case "TableAdded":
      said["automatic"] = entry.automatic ? bits("itself") : ""
      break
    case "DealingSet":
      said["automatic"] = entry.automatic ? bits("by_itself") : bits("by_hand")
      break
    case "ProgramDiffers":
      said["files"] = Object.keys(entry.files).join(", ")
      said["digest"] = entry.digest.slice(0, 12)
      break
    case "HouseOpened":
    case "ProgramChecked":
    case "ProgramReleased":
      said["digest"] = entry.digest.slice(0, 12)
      break
    case "KeyLost":
      said["keys"] = entry.keys.join(", ")
      break
    case "HouseClosed":
      said["in_round"] = entry.in_round?.length ? bits("in_round", { tables: listed(entry.in_round) }) : ""
      break
    case "Deposited":
    case "Withdrawn":
    case "FloatFilled":
    case "FloatCredited":
      said["amount"] = show(entry.amount)
      break
    case "CashierBalanced":
      said["sums"] = listed(Object.entries(entry.sums).map(([kind, sum]) => `${kindWords(kind)} ${show(sum)}`))
      break
    case "DropCollected":
    case "FloatCounted": {
      const apart = entry.counted - entry.booked
      said["counted"] = show(entry.counted)
      said["booked"] = show(entry.booked)
      said["apart"] = apart ? bits("apart", { amount: signed(apart) }) : ""
      break
    }
    case "Adjusted":
      said["amount"] = signed(entry.amount)
      said["account"] = accountWords(entry.account)
      break
    case "AlertAcknowledged":
      said["which"] = entry.entry
        ? bits("entry", { number: entry.entry })
        : entry.incident
        ? bits("incident", { number: entry.incident })
        : bits("event", { number: entry.version })
      break
    case "IncidentRaised": {
      const { table, version, stage, error } = entry.incident
      Object.assign(said, { table, version, stage: bits(stage), error })
      break
    }
    case "ProofSet":
      said["how"] = bits(entry.how)
      break
    case "SecondAsked":
      said["command"] = asked(entry) ?? commandWords(entry.command, entry.table)
      break
    case "SecondGiven":
      said["refused"] = entry.refused ? bits("refused", { reason: why || entry.refused }) : ""
      break
    case "SignInRefused":
      said["reason"] = why || entry.reason
      break
  }
  return t(entry.type, said)
}

function scopeWords(scope: string): string {
  return scope === "*" ? bits("house") : scope
}

function commandWords(command: { readonly [name: string]: unknown }, table: string): string {
  const amount = typeof command["amount"] === "number" ? signed(command["amount"]) : ""
  const person = typeof command["person"] === "string" ? called(command["person"]) : ""
  const about = [person, command["table"] ?? table, amount].filter((one) => one !== undefined && one !== "")
  return [String(command["type"]), ...about].join(" ")
}
