import type { Phase, Post, Role, Side } from "../wire"
import { traditional } from "./traditional"
import { area, isChinese, language, TAGS } from "./words.svelte"

export const t = area(
  {
    house: "puntobanco",
    itself: "The house",
    play_money: "Play money",
    sign_out: "Sign out",
    lobby: "Lobby",
    language: "Language",
    theme: "Theme",
    theme_felt: "Dark felt",
    theme_desk: "Light desk",
    close: "Close",
    cancel: "Cancel",
    confirm: "Confirm",
    back: "Back",
    save: "Save",
    loading: "Loading…",
    again: "Try again",
    paragraph: "Paragraph {paragraph}",
    definition: "Definition: {term}",
    connected: "Connected",
    connecting: "Connecting…",
    reconnecting: "Connection lost. The house keeps what it accepted; reconnecting…",
    table_closes: "This table closes after another round, or at {at}: {reason}",
    pending: "Sent, waiting for the house…",
    unreachable: "The house cannot be reached.",
    unanswered: "The house cannot be reached, so it is not known whether this was done. You can safely try again: it is done only once.",
    happened_before: "The earlier request was carried out after all, so this one was not. Check what is shown, then continue.",
    not_found: "There is no such screen.",
    failed_screen: "This screen could not be loaded.",
    screen_terminal: "Player terminal",
    screen_dealer: "Dealer console",
    screen_pit: "Pit console",
    screen_board: "Display board",
    screen_odds: "Odds desk",
    screen_cashier: "Cashier",
    screen_administration: "Administration",
    screen_disputes: "Dispute desk",
    seconds: "{seconds} s",
    skip: "Skip to content",
    menu: "Menu",
    notices: "Notices",
    dismiss: "Dismiss",
  },
  {
    house: "puntobanco",
    itself: "系统",
    play_money: "娱乐筹码",
    sign_out: "登出",
    lobby: "大厅",
    language: "语言",
    theme: "主题",
    theme_felt: "深色台布",
    theme_desk: "浅色桌面",
    close: "关闭",
    cancel: "取消",
    confirm: "确认",
    back: "返回",
    save: "保存",
    loading: "正在载入…",
    again: "重试",
    paragraph: "第 {paragraph} 条",
    definition: "定义：{term}",
    connected: "已连接",
    connecting: "正在连接…",
    reconnecting: "连接中断。已接受的均已保存；正在重新连接…",
    table_closes: "本桌再开一局后，或于 {at} 关台：{reason}",
    pending: "已发送，等待系统确认…",
    unreachable: "无法连接系统。",
    unanswered: "无法连接系统：是否已执行尚不可知。在此处重试，只会执行一次。",
    happened_before: "先前的请求其实已经执行，因此本次未执行。请先查看现状，再办理其余部分。",
    not_found: "没有这个页面。",
    failed_screen: "无法载入此页面。",
    screen_terminal: "玩家终端机",
    screen_dealer: "荷官台",
    screen_pit: "巡场台",
    screen_board: "路单屏",
    screen_odds: "赔率台",
    screen_cashier: "账房",
    screen_administration: "管理",
    screen_disputes: "争议台",
    seconds: "{seconds} 秒",
    skip: "跳到内容",
    menu: "菜单",
    notices: "通知",
    dismiss: "关闭",
  },
)

const phases = area<Phase>(
  {
    closed: "Table closed",
    idle: "Waiting for the next round",
    betting: "Place your bets",
    closing: "Betting is closing",
    dealing: "No more bets: dealing",
    insurance: "Insurance is offered",
    result: "Result",
    paying: "Taking and paying",
    settled: "Round settled",
    voided: "Round void",
    without_bets: "Round ended without bets",
    decided: "Round decided by the House",
    suspended: "Play suspended",
    decision: "Waiting for a decision",
    options: "Players choose after a dealing error",
  },
  {
    closed: "牌桌关闭",
    idle: "等待下一局",
    betting: "请下注",
    closing: "即将停止下注",
    dealing: "停止下注：发牌中",
    insurance: "可买保险",
    result: "结果",
    paying: "收付中",
    settled: "本局已结算",
    voided: "本局作废",
    without_bets: "本局无投注，已结束",
    decided: "本局由赌场决定",
    suspended: "暂停",
    decision: "等待裁定",
    options: "发牌有误：玩家选择",
  },
)

const posts = area<Post>(
  {
    player: "Player",
    cashier: "Cashier",
    dealer: "Dealer",
    pit_supervisor: "Pit Supervisor",
    pit_manager: "Pit Manager",
    shift_manager: "Shift Manager",
    auditor: "Auditor",
    administrator: "Administrator",
    device: "Device",
    board: "Display board",
  },
  {
    player: "玩家",
    cashier: "账房",
    dealer: "荷官",
    pit_supervisor: "监场",
    pit_manager: "区域经理",
    shift_manager: "值班经理",
    auditor: "稽核",
    administrator: "管理员",
    device: "设备",
    board: "路单屏",
  },
)

const sides = area<Side | "tie">(
  { player: "Player", banker: "Banker", tie: "Tie" },
  { player: "闲", banker: "庄", tie: "和" },
)

export const phaseWords = phases
export const postWords = posts
export const roleWords = (role: Role): string => (role === "system" ? t("itself") : posts(role))
export const sideWords = sides

/** A text as printed on the felt, in traditional characters; in simplified ones for those who read these. */
export const feltWords = (title: { readonly zh: string; readonly felt?: string | null }): string =>
  language() === "zh" ? title.zh : traditional(title.felt ?? title.zh)

/** The language of those texts. */
export const feltTag = (): string => TAGS[language() === "zh" ? "zh" : "zh-Hant"]

export const FELT: { readonly [side in Side | "tie"]: string } = {
  get player() {
    return feltWords({ zh: "闲" })
  },
  get banker() {
    return feltWords({ zh: "庄" })
  },
  tie: "和",
}

/** The name beside a word of the felt, for those who do not read it. */
export const besideFelt = (side: Side | "tie"): string => (isChinese() ? "" : sides(side))
