import { area } from "./words.svelte"

/** What gave the players a choice, as it is said to everybody at the table. */
export const happened = area(
  {
    miskeyed: "A card was dealt that was not due.",
    simultaneous: "Cards came out of the shoe together.",
    misdirected: "A card was put in the wrong place.",
    wrong_number_of_cards: "A hand had the wrong number of cards.",
    excess: "A card was drawn that was not due.",
    exposed: "A card was seen before it was due.",
    face_up: "A card was dealt face up by mistake.",
    other_dealing_error: "There was a dealing error.",
  },
  {
    miskeyed: "发了不该发的牌。",
    simultaneous: "几张牌同时离开牌靴。",
    misdirected: "牌放错了位置。",
    wrong_number_of_cards: "一手牌张数不对。",
    excess: "多发了一张牌。",
    exposed: "未轮到的牌被提前看见。",
    face_up: "牌误以明牌发出。",
    other_dealing_error: "发牌有误。",
  },
)

export const t = area(
  {
    seen: "Seen before time: {cards}.",
    begins_next: "The next round begins with what was seen.",
    begins_this: "This round begins with what was seen.",
    comes_next: "What was seen is dealt next, in this round or the next.",
    not_offered: "Not offered in this round: {bets}.",
    closed: "Not offered",
    worth: "What a bet is worth on the cards that nobody has seen",
    worth_looking: "Working out what every bet is worth …",
    worth_none: "What bets are worth could not be computed in time.",
    worth_again: "Compute again",
    silence_options: "A player who does not choose goes on with every bet of the round.",
    silence_held: "Until the decision, every bet stays as it is.",
    silence_betting: "A player who does nothing places no bet. Bets already placed stay.",
    silence_between: "Nobody has to bet in that round.",
    silence_dealing: "Every bet of the round goes on.",
  },
  {
    seen: "提前曝光：{cards}。",
    begins_next: "下一局以曝光的牌开始。",
    begins_this: "本局以曝光的牌开始。",
    comes_next: "曝光的牌接着发出：在本局，或在下一局。",
    not_offered: "本局不接受：{bets}。",
    closed: "不接受",
    worth: "按尚未见过的牌，各投注的价值",
    worth_looking: "正在计算各投注的价值……",
    worth_none: "未能及时算出各投注的价值。",
    worth_again: "重新计算",
    silence_options: "未选者以本局全部投注继续。",
    silence_held: "裁定之前，所有投注保持不动。",
    silence_betting: "未下注者不参与；已下的投注保持不动。",
    silence_between: "那一局无须下注。",
    silence_dealing: "本局全部投注继续。",
  },
)
