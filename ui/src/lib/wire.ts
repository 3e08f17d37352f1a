// Written by `python -m puntobanco.web.typescript --write` from the definitions of the wire; a test keeps it true.
// Money is whole cents, moments are milliseconds UTC. A field that may be left out has its default then.

/** A refusal as the body of an HTTP answer: problem details (RFC 9457). */
export interface Problem {
  reason: Reason
  paragraph?: string | null
  parameters?: { readonly [key: string]: unknown }
  detail: string
  title: string
  status: number
  type?: string
}

export type Reason = "unknown_game" | "unknown_layout" | "no_layouts" | "unknown_bet" | "bet_not_on_layout" | "unknown_paragraph" | "unknown_language" | "box_out_of_range" | "no_boxes" | "boxes_out_of_range" | "decks_out_of_range" | "decks_not_as_set" | "not_a_number" | "unknown_result" | "not_an_amount" | "amount_not_positive" | "amount_too_great" | "stake_not_positive" | "stake_not_in_units" | "stake_too_great" | "unit_not_payable" | "not_a_stake" | "staked_twice" | "limit_not_in_units" | "limit_not_positive" | "minimum_over_differential" | "two_seated" | "under_minimum" | "not_enough_money" | "wallet_empty" | "guest_not_confirmed" | "purse_not_confirmed" | "chips_only" | "confirmation_off" | "entry_too_large" | "drop_changed" | "over_differential" | "unknown_card" | "too_few_cards" | "hand_complete" | "impossible_card" | "card_out_of_place" | "window_missing" | "no_such_window" | "not_offered" | "nothing_to_insure" | "over_cap" | "no_waiver" | "not_heard_now" | "stale_round" | "stale_index" | "stale_window" | "stale_question" | "not_authorised" | "reason_missing" | "acts_otherwise" | "already_acting" | "not_acting" | "plays_here" | "request_reused" | "unknown_command" | "command_malformed" | "unknown_person" | "not_a_player" | "not_yours" | "seat_taken" | "guest_name_wrong" | "guest_name_taken" | "bets_in_play" | "no_seat" | "wrong_game" | "not_in_force" | "no_shoe" | "shoe_unshuffled" | "shoe_finished" | "shoe_unproven" | "handover_too_long" | "bets_late" | "bet_unchanged" | "over_side_maximum" | "excess_unacknowledged" | "no_excess" | "not_under_minimum" | "not_advised" | "no_such_bet_placed" | "bets_named_wrongly" | "bet_still_open" | "round_over" | "earlier_round_stands" | "too_early" | "close_is_spoken" | "not_attested" | "insurance_not_main" | "expose_first" | "face_missing" | "face_unwanted" | "already_exposed" | "not_correctable" | "card_unchanged" | "squeeze_not_here" | "squeeze_not_entitled" | "squeeze_too_late" | "no_squeeze_asked" | "squeeze_goes_on" | "squeeze_unanswered" | "squeeze_time_over" | "no_waiver_asked" | "waiver_asked_before" | "waiver_not_agreed" | "waiver_not_concerned" | "not_held" | "more_than_lies" | "not_missing" | "not_unpaid" | "box_unpaid" | "exposed_card_waits" | "opening_not_permitted" | "nothing_to_permit" | "bet_decided" | "choice_not_open" | "order_wrong" | "cards_missing" | "not_in_options" | "options_running" | "report_incomplete" | "report_open" | "set_unclear" | "no_fault" | "no_hands_yet" | "cards_not_in_shoe" | "cards_differ" | "lies_impossibly" | "chosen_in_person" | "player_absent" | "not_said_present" | "not_provided" | "not_requested" | "took_back" | "slip_empty" | "slip_too_long" | "squeeze_taken" | "not_your_seat" | "owed" | "change_waits" | "setup_replaced" | "round_not_final" | "shoe_set_wrongly" | "gap_void_fixed" | "overlay_not_silent" | "overlay_key_taken" | "time_negative" | "time_too_long" | "options_too_short" | "maximum_not_positive" | "stakes_in_play" | "cards_only" | "purses_not_empty" | "closing_unannounced" | "closing_too_early" | "closing_announced" | "access_denied" | "unknown_table" | "table_stopped" | "table_in_use" | "table_runs" | "float_too_small" | "house_draining" | "program_held" | "name_wrong" | "name_taken" | "title_wrong" | "no_such_role" | "no_wallet" | "own_rights" | "last_administrator" | "reason_wanted" | "request_wrong" | "too_fast" | "too_many_watched" | "not_found" | "foreign_page" | "failed" | "incident" | "unknown_incident" | "store_failed" | "only_sqlite" | "key_missing" | "key_unreadable" | "key_exposed" | "key_found" | "key_in_environment" | "house_runs" | "house_founded" | "unknown_post" | "already_acknowledged" | "nothing_to_release" | "cannot_listen" | "tls_unusable" | "not_installed" | "desk_busy" | "cannot_be_priced" | "not_json" | "no_commitment" | "order_unreadable" | "owners_unclear" | "nothing_waits" | "too_many_waiting" | "second_is_first" | "sign_in_failed" | "try_later" | "pin_wrong" | "pin_locked" | "pin_missing" | "pin_guessable" | "pin_not_yours" | "proof_from_you" | "card_wrong" | "card_unfit" | "password_too_short" | "password_too_long" | "password_common" | "password_unchanged" | "password_must_change" | "second_factor_needed" | "session_over" | "setting_too_low" | "not_admitted" | "not_staff" | "own_money" | "deals_itself" | "rounds_out_of_range" | "workers_out_of_range" | "session_too_large" | "cluster_unreachable" | "cluster_address" | "cluster_strange" | "cluster_idle" | "cluster_failed" | "output_unwritable" | "output_kind" | "output_exists" | "seed_out_of_range" | "not_a_number_of_rounds" | "not_a_shoe" | "rank_twice" | "shoe_count_wrong" | "shoe_has_none" | "shoes_out_of_range" | "option_needs" | "options_clash" | "no_insurance" | "unknown_mode" | "scenario_word" | "scenario_stray" | "scenario_value" | "scenario_empty" | "argument_type" | "file_unreadable" | "file_malformed" | "field_wrong" | "field_type" | "field_choice" | "field_length" | "field_pattern" | "text_unreadable" | "text_too_long" | "rulebook_wrong" | "key_built_in" | "field_unknown" | "field_missing" | "key_malformed" | "key_twice" | "range_empty" | "bet_without_lines" | "line_never_wins" | "value_never_matters" | "lines_contradict" | "line_hidden" | "condition_needs_winner" | "condition_empty" | "layout_unknown_in_file" | "bet_unknown_in_file" | "paragraph_unknown_in_file" | "commission_on_push" | "commission_mismatch" | "original_bets_missing" | "tie_not_pushed" | "original_not_lost" | "insurance_rows_overlap" | "insurance_cell_dead" | "insurance_pays_nothing" | "authority_empty" | "insurance_bets_missing" | "layouts_or_terminal" | "bet_on_no_layout" | "bet_not_carried" | "setting_unknown" | "setting_range" | "setting_wrong"

/** Subscribe to a table. `version`: the one the screen has, after a gap; `board`: only what a display shows. */
export interface Watch {
  type: "Watch"
  table: string
  version?: number
  board?: boolean
}

/** Unsubscribe from a table. */
export interface Leave {
  type: "Leave"
  table: string
}

/** Send a command to a table. `Answered` answers it, under the same `request`. */
export interface Do {
  type: "Do"
  table: string
  request: string
  command: AnyCommand
  proof?: GuestProof | null
}

/** A guest's proof where somebody else moves their money: a PIN, or the code read from their card. */
export interface GuestProof {
  pin?: string
  card?: string
}

/** The answer to a heartbeat. */
export interface Here {
  type: "Here"
}

/** Asks for a heartbeat at once, to find out whether the connection still works. */
export interface Probe {
  type: "Probe"
}

/** The first message of a connection. */
export interface Hello {
  type: "Hello"
  person: string
  at: number
  heartbeat: number
}

/** Everything a screen shows of a table. Sent when it begins to watch, and when it asks after a gap. */
export interface Whole {
  type: "Whole"
  table: string
  version: number
  public: PublicView | null
  setup?: Setup | null
  private?: PrivateView | null
  results?: readonly string[]
  told?: readonly NarratedStep[]
  at?: number
  stopped?: boolean
}

/** What everyone in an audience sees. Staff and the auditor see more than players and the board. */
export interface PublicView {
  version: number
  phase: Phase
  round: number
  deadline: number
  game: string
  layout: string | null
  minimum: number
  differential: number
  cards: readonly CardView[]
  waiting: readonly (string | null)[]
  not_offered?: readonly string[]
  boxes: readonly BoxView[]
  due: Side | null
  outcome: Outcome | null
  points?: { readonly [key: string]: number }
  window?: OpenWindow | null
  insurance_wins_on?: Winner | null
  squeezing?: readonly number[]
  cards_left?: number | null
  question?: Question | null
  faults?: readonly Reported[]
  acting?: { readonly [key: string]: Role }
  preview?: Preview | null
  undecided?: readonly string[]
  settled?: readonly SettledStake[]
  seats?: { readonly [key: string]: string }
  purses?: { readonly [key: string]: number }
  squeezes?: { readonly [key: string]: SqueezeInProgress }
  waiver_asked?: string | null
  squeezers?: readonly string[]
  squeezable?: { readonly [key: string]: Side | null }
  unpaid?: readonly number[]
  held?: readonly Stake[]
  missing?: { readonly [key: string]: MissingChip }
  keyed?: number
  corrections?: { readonly [key: string]: number }
  allowed?: readonly string[]
  cards_only?: boolean
  house_deals?: boolean
  waiver_to_agree?: readonly string[]
  closing?: Closing | null
  awaited?: Awaited | null
  face_down?: boolean
  source?: Source
  options?: OpenOptions | null
  overlay?: Overlay | null
  shoe?: ShoeInUse | null
  last_of_shoe?: boolean
  dealt_from?: readonly string[]
  next?: NextStep | null
  low?: readonly LowBet[]
  absent?: readonly string[]
  at_terminals?: readonly Stake[]
  owed?: { readonly [key: string]: number }
  unconfirmed?: readonly string[]
  totals?: { readonly [key: string]: BetTotal }
}

export type Phase = "closed" | "idle" | "betting" | "closing" | "dealing" | "insurance" | "result" | "paying" | "settled" | "voided" | "without_bets" | "decided" | "suspended" | "decision" | "options"

/** A card on the table; no face while it lies face down. */
export interface CardView {
  index: number
  side: Side
  face: string | null
}

export type Side = "player" | "banker"

/** A betting box: whether somebody sits there, and how much more each hand can take. */
export interface BoxView {
  box: number
  seated: boolean
  room_player: number
  room_banker: number
  over_differential?: boolean
  stakes?: readonly Stake[]
}

/** One person's chips on one bet of one box. `raises`: pairs of placing order and amount, for chips added later. */
export interface Stake {
  owner: string
  box: number
  bet: string
  amount: number
  placer: string
  order: number
  raises?: readonly (readonly [number, number])[]
}

/** The result of the two hands. Every bet of every game is settled from it. */
export interface Outcome {
  player_points: number
  banker_points: number
  player_cards: number
  banker_cards: number
  player_pair: boolean
  banker_pair: boolean
}

/** An open insurance window. */
export interface OpenWindow {
  window: Window
  bet: string
  insures: Side
  odds: string
  offers: readonly OfferMade[]
  deadline: number
  answered: readonly string[]
}

export type Window = "four" | "five"

/** How much one person may insure in one box. */
export interface OfferMade {
  owner: string
  box: number
  most: number
}

export type Winner = "player" | "banker" | "tie"

/** A question that somebody of the required rank must answer before play continues. */
export interface Question {
  number: number
  fault: Fault
  report: number
  action: Action
  asked_of: Role
  choices: readonly Choice[]
  rule: Cited | null
}

export type Fault = "foreign_card" | "deck_count" | "unshuffled" | "shoe_empty" | "technical" | "miskeyed" | "simultaneous" | "misdirected" | "wrong_number_of_cards" | "excess" | "exposed" | "face_up" | "other_dealing_error" | "mispayment" | "display" | "unprovided"

export type Action = "open_betting" | "close_betting" | "bet_for_player" | "permit_squeeze" | "consent_to_waiver" | "deal" | "confirm_rest" | "reject_excess" | "advise_minimum" | "refuse_late_bets" | "write_off_chip" | "find_interruption" | "decide_reconstruction" | "order_simultaneous_cards" | "replace_shoe" | "declare_void" | "record_election" | "reverse_settlement" | "change_table" | "correct_display" | "decide_unprovided" | "assign"

export type Role = "player" | "dealer" | "pit_supervisor" | "pit_manager" | "shift_manager" | "cashier" | "system"

export type Choice = "void" | "stands" | "reconstruct" | "cannot_reconstruct" | "affects" | "does_not_affect" | "order" | "continue" | "return_bets" | "resettle" | "confirm" | "correct" | "set_aside" | "as_lying" | "cannot_go_on" | "by_hand" | "conclude" | "decide_bets"

/** A paragraph of a document. */
export interface Cited {
  ruleset: string
  paragraph: string
}

/** An irregularity as it was reported, with the phase of the round in which it was seen. */
export interface Reported {
  number: number
  fault: Fault
  round: number
  seen_in: string
  cards?: readonly (Card | null)[]
  index?: number | null
  lies?: { readonly [key: string]: Side }
  to_person?: boolean
  order_known?: boolean
  note?: string
  brought_out?: boolean
  established?: boolean
  paid?: boolean
  claimed_by?: string
  since?: number
  shoe?: string
}

/** One card. The suit may be omitted, because no bet of these games depends on it. */
export interface Card {
  rank: Rank
  suit: Suit | null
}

export type Rank = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13

export type Suit = "♠" | "♥" | "♦" | "♣"

/** The cards put back in their order of drawing: the hands, who draws next, and the spare cards. */
export interface Preview {
  player: readonly (string | null)[]
  banker: readonly (string | null)[]
  due: Side | null
  spare: readonly (string | null)[]
}

/** The settlement of one stake: `plays` of it played, and the rest went back unplayed. */
export interface SettledStake {
  owner: string
  box: number
  bet: string
  stake: number
  plays: number
  result: Result
  profit: number
  rule: string
  commission: number
  commission_rule: string | null
  unplayed_rule: string | null
  pays: string
  held: boolean
}

export type Result = "win" | "lose" | "push"

/** A squeeze of one card. */
export interface SqueezeInProgress {
  person: string
  permitted: boolean
  deadline: number
  recorded: boolean
}

/** A chip that was taken away after the close. */
export interface MissingChip {
  round: number
  person: string
  box: number
  bet: string
  amount: number
}

/** Notice of closing, given in or after `round`. The table closes after a later round, or at `until`. */
export interface Closing {
  round: number
  until: number
  reason: string
}

export type Awaited = "opening" | "shoe" | "permission" | "round"

export type Source = "electronic" | "scanner" | "keyboard"

/** Open options: each of these players chooses to continue or to take their bets back. */
export interface OpenOptions {
  question: number
  people: readonly string[]
  elections: { readonly [key: string]: Election }
  own: readonly string[]
  returns_by: Cited
  deadline: number
  faults: readonly Fault[]
}

export type Election = "continue" | "return"

/** An overlay. `document`: the regulation, as it is cited. */
export interface Overlay {
  key: string
  title: Words
  document: string
  void: readonly OverlayVoid[]
}

/** A name in each language, and as printed on the felt where that differs. */
export interface Words {
  en: string
  zh: string
  felt?: string | null
}

/** A cause, its citation in the regulation, and the lowest rank that may declare the round void for it. */
export interface OverlayVoid {
  cause: OverlayCause
  citation: string
  declared_by: StaffRank
  in_round?: boolean
  settled?: boolean
}

export type OverlayCause = "foreign_card" | "deck_count" | "unshuffled" | "shoe_empty" | "wrong_number_of_cards" | "technical"

export type StaffRank = "dealer" | "pit_supervisor" | "pit_manager" | "shift_manager"

/** The set of cards in use. */
export interface ShoeInUse {
  name: string
  decks: number
  left: number
  shuffled: boolean
  in_service: boolean
  last_round: boolean
  finished: boolean
  loaded: number
  sealed: boolean
  unproven: boolean
}

/** What to do now, or who the table waits for. */
export interface NextStep {
  code: StepCode
  command?: OpenBetting | PermitOpening | AnnounceClose | CloseBetting | RejectExcess | DrawCard | TurnOver | AnswerSqueeze | AnswerWaiver | CloseInsurance | Settle | ConfirmBox | CloseOptions | null
  otherwise?: CloseBetting | AnswerSqueeze | AnswerWaiver | FinishSqueeze | null
  wants_card?: boolean
  deadline?: number
  meanwhile?: StepCode | null
  side?: Side | null
  index?: number
  box?: number
  person?: string
  burn?: number
  shoe?: ShoeNote | null
  paragraph?: string | null
}

export type StepCode = "open" | "open_seen" | "permit" | "announce" | "close" | "reject" | "draw" | "draw_down" | "draw_waiting" | "expose" | "answer_squeeze" | "answer_waiver" | "insurance" | "settle" | "confirm" | "load" | "options_close" | "wait_squeeze" | "wait_options" | "wait_decision" | "wait_closed" | "wait_itself" | "wait_permit" | "wait_terminal" | "wait_closing" | "wait_pit"

/** Open a round. The round before is final from then on. */
export interface OpenBetting {
  type: "OpenBetting"
  acknowledge?: boolean
  worth?: Worth | null
}

/** The value of each bet if these cards come first: the average gain on a stake, in millionths of it. */
export interface Worth {
  cards: readonly (Card | null)[]
  returns: { readonly [key: string]: number }
}

/** Let a round open although several exposed cards lie in front of the shoe. */
export interface PermitOpening {
  type: "PermitOpening"
}

/** Show the close on the terminals. Bets made before it still count while they arrive. */
export interface AnnounceClose {
  type: "AnnounceClose"
  round: number
}

/** Close betting. The positions at this moment decide. */
export interface CloseBetting {
  type: "CloseBetting"
  round: number
  over_excess?: boolean
  worth?: Worth | null
}

/** Hand back what exceeds the Differential in a box, as the document orders it. */
export interface RejectExcess {
  type: "RejectExcess"
  round: number
  box: number
}

/** Draw the next card. `card`: its face, on a table that deals face up. */
export interface DrawCard {
  type: "DrawCard"
  round: number
  index: number
  card?: Card | null
}

/** Turn a card over: `ExposeCard` without the face, which whoever turns the card over adds. */
export interface TurnOver {
  type: "ExposeCard"
  round: number
  index: number
}

/** Grant or refuse a request to squeeze a card. */
export interface AnswerSqueeze {
  type: "AnswerSqueeze"
  round: number
  index: number
  permit: boolean
}

/** Grant or refuse the request to see the Banker's third card first. */
export interface AnswerWaiver {
  type: "AnswerWaiver"
  round: number
  consent: boolean
}

/** Close the insurance window. */
export interface CloseInsurance {
  type: "CloseInsurance"
  round: number
  window: Window
}

/** Settle the round. */
export interface Settle {
  type: "Settle"
  round: number
}

/** Confirm that the dealer has taken or paid a box of the settled round. */
export interface ConfirmBox {
  type: "ConfirmBox"
  round: number
  box: number
}

/** Close the options. Players who have not chosen continue. */
export interface CloseOptions {
  type: "CloseOptions"
  question: number
}

/** End the squeeze of a card. */
export interface FinishSqueeze {
  type: "FinishSqueeze"
  round: number
  index: number
  person?: string | null
}

export type ShoeNote = "one_more" | "last"

/** A bet below the minimum, and the command for it: first advise the player, then hand the bet back. */
export interface LowBet {
  box: number
  bet: string
  owner: string
  advised?: boolean
  command?: AdviseMinimum | ReturnBet | null
}

/** Record that a player was advised that a bet is below the minimum. */
export interface AdviseMinimum {
  type: "AdviseMinimum"
  round: number
  box: number
  person: string
}

/** Hand back a bet below the minimum whose owner was advised and neither raised nor withdrew it. */
export interface ReturnBet {
  type: "ReturnBet"
  round: number
  box: number
  bet: string
  person: string
}

/** What several people have staked on a bet together. */
export interface BetTotal {
  amount: number
  bettors: number
}

/** The set-up of a table: everything that stays from one round to the next and may change only between rounds. */
export interface Setup {
  game: string
  fingerprint: string
  layout: string | null
  boxes: number
  decks: number
  minimum: number
  differential: number
  unit: number
  maximum: number | null
  minimums: { readonly [key: string]: number }
  face_down: boolean
  cards_only: boolean
  source: Source
  burn: number
  cut_card: number
  policy: Policy
  timing: Timing
  overlay: Overlay | null
}

/** Interpretations that an operator may choose between. docs/rulings.md gives the reasons for each default. */
export interface Policy {
  pro_rata: ProRata
  excess_at_placement: ExcessAtPlacement
  interruption_finding: InterruptionFinding
  highest_bet: HighestBet
  simultaneous_options: SimultaneousOptions
  tie_silence: TieSilence
  count_exclusive: boolean
  gap_void: readonly GapCause[] | null
  closing_notice: number
  handover_grace: number
}

export type ProRata = "all_pro_rata" | "seated_first"

export type ExcessAtPlacement = "flag" | "refuse"

export type InterruptionFinding = "pit_supervisor" | "automatic"

export type HighestBet = "largest_original" | "largest_any"

export type SimultaneousOptions = "always" | "order_unknown"

export type TieSilence = "return" | "leave"

export type GapCause = "foreign_card" | "deck_count" | "unshuffled" | "shoe_empty" | "wrong_number_of_cards"

/** The time that people get, in milliseconds. After a deadline the dealer may continue. */
export interface Timing {
  betting: number
  drain: number
  squeeze: number
  insurance: number
  options: number
}

/** What only one person sees: their money, stakes, offers and choices. */
export interface PrivateView {
  version: number
  person: string
  purse: number
  withheld: number
  owed: number
  seats: readonly number[]
  stakes: readonly Stake[]
  room: { readonly [key: string]: number }
  plays: { readonly [key: string]: number }
  handed_back: { readonly [key: string]: number }
  offers: readonly OfferMade[]
  answered: readonly number[]
  held: readonly Stake[]
  settled: readonly SettledStake[]
  election: string | null
  may_elect: boolean
  question: number | null
  returns_by: string | null
  leaving: readonly string[]
  may_squeeze: boolean
  squeezing: readonly number[]
  allowed: readonly string[]
  squeeze_asked: readonly number[]
  squeeze_until: number
  faces: { readonly [key: string]: string }
  waiver_asked: boolean
  waived: boolean
}

/** A step of the hand in words, in every language, because a public message is the same for all its readers. */
export interface NarratedStep {
  en: string
  zh: string
  paragraph: string
}

/** The public view, the same for everyone of an audience. A screen older than `after` has missed a message and asks */
export interface Public {
  type: "Public"
  table: string
  after: number
  version: number
  at: number
  view: PublicView | null
  results?: readonly string[] | null
  told?: readonly NarratedStep[]
  setup?: Setup | null
  stopped?: boolean
}

/** The private view, sent only to the person whose money, bets and choices it shows. */
export interface Private {
  type: "Private"
  table: string
  version: number
  view: PrivateView
}

/** The answer to a command that was sent with `Do`. */
export interface Answered {
  type: "Answered"
  request: string
  answer: Answer
}

/** The result of a command: the version at which it took effect, or the refusal, and the refused lines of a slip. */
export interface Answer {
  version: number
  refusal?: Refusal | null
  lines?: readonly LineRefused[]
  waits?: number | null
}

/** Why something was refused: the reason, its paragraph, and the parameters of the sentence, as plain data. */
export interface Refusal {
  reason: Reason
  paragraph?: string | null
  parameters?: { readonly [key: string]: unknown }
  sentence: string
}

/** A line of a slip that was refused; the first line is 0. */
export interface LineRefused {
  line: number
  why: Refusal
}

/** The message was not accepted, and nothing changed. */
export interface Misheard {
  type: "Misheard"
  why: Refusal
  request?: string
  table?: string
}

/** The requests that wait for a second person or a guest, sent to those who may confirm them and to those who */
export interface WaitingRequests {
  type: "Seconds"
  waiting: readonly ConfirmationCard[]
  answered?: readonly AnsweredQuestion[]
}

/** A request that waits for a second person, or for the guest whose money it moves. */
export interface ConfirmationCard {
  number: number
  table: string
  command: { readonly [key: string]: unknown }
  person: string
  post: Post | null
  at: number
  mine: boolean
  may_confirm: boolean
  guest?: string
  chip?: MissingChip | null
}

export type Post = "player" | "cashier" | "dealer" | "pit_supervisor" | "pit_manager" | "shift_manager" | "auditor" | "administrator" | "device" | "board"

/** A question at a table whose answer waits for a second person. */
export interface AnsweredQuestion {
  table: string
  question: number
}

/** A heartbeat. Answer it with `Here`. */
export interface Beat {
  type: "Beat"
  at: number
}

/** A player's wallet and purses. */
export interface Wallet {
  person: string
  held: number
  purses: { readonly [key: string]: number }
  stopped?: readonly string[]
  latest?: readonly Moved[]
  sums?: { readonly [key: string]: number }
  confirms?: readonly Confirmation[]
}

/** One posting of an account: the amount, negative if it left the account, and the other account. */
export interface Moved {
  id: number
  kind: string
  other: string
  amount: number
  at?: number
}

export type Confirmation = "session" | "pin" | "card"

/** The balance of an account. */
export interface Account {
  account: string
  held: number
}

/** The float of a table, the money on its layout and in its purses, and its last count. */
export interface FloatCard {
  table: string
  game: string
  held: number
  stakes?: number
  purses?: number
  commission?: number
  drop?: number
  tray?: number
  retired?: boolean
  counted?: number | null
  booked?: number
  counted_at?: number
  counted_by?: string
}

/** What a cashier has moved since they were last balanced: by kind, in total and for each guest. */
export interface TillReport {
  person: string
  since: number
  sums?: { readonly [key: string]: number }
  guests?: { readonly [key: string]: { readonly [key: string]: number } }
}

/** An administrative command with its request id. */
export interface AdministrativeRequest {
  request: string
  command: AnyAdministrativeCommand
  proof?: GuestProof | null
}

/** Add a person with their first role. */
export interface Admit {
  type: "Admit"
  person: string
  title: string
  post?: Post
  scope?: string
}

/** Give a person a role in the whole house or at one table. */
export interface GiveRole {
  type: "GiveRole"
  person: string
  post: Post
  scope?: string
}

/** Take a person's role in the whole house or at one table away. */
export interface TakeRole {
  type: "TakeRole"
  person: string
  scope?: string
}

/** Disable a person: they can no longer sign in. */
export interface Disable {
  type: "Disable"
  person: string
  reason: string
}

/** Enable a disabled person. */
export interface Enable {
  type: "Enable"
  person: string
}

/** Add a game of this house from its file. */
export interface AddGame {
  type: "AddGame"
  content: string
}

/** Add a table that plays a game. */
export interface AddTable {
  type: "AddTable"
  table: string
  game: string
  automatic?: boolean
}

/** Set whether the house deals a table by itself. */
export interface SetDealing {
  type: "SetDealing"
  table: string
  automatic: boolean
}

/** Restart a failed table from its history. */
export interface RestartTable {
  type: "RestartTable"
  table: string
}

/** Retire a table for good. Its history stays. */
export interface RetireTable {
  type: "RetireTable"
  table: string
}

/** Let the house deal although its program files differ. `digest`: the digest of the differences, as the house shows */
export interface ReleaseProgram {
  type: "ReleaseProgram"
  digest: string
  reason: string
}

/** Acknowledge an alert of a table by the `version` of its event there, an incident by its number, or an entry of */
export interface Acknowledge {
  type: "Acknowledge"
  table: string
  version?: number
  incident?: number
  entry?: number
}

/** Put money that a player brings to the cage into their wallet. */
export interface Deposit {
  type: "Deposit"
  person: string
  amount: number
}

/** Pay money out of a player's wallet at the cage. */
export interface Withdraw {
  type: "Withdraw"
  person: string
  amount: number
}

/** Chips from the cage to a table. */
export interface Fill {
  type: "Fill"
  table: string
  amount: number
}

/** Chips from a table back to the cage. */
export interface Credit {
  type: "Credit"
  table: string
  amount: number
}

/** Record a count of a table's float. A difference from the ledger stays until it is adjusted. */
export interface CountFloat {
  type: "CountFloat"
  table: string
  counted: number
}

/** The cash of a table's drop box goes to the cage. `booked`: the amount in the ledger when it was counted. */
export interface CollectDrop {
  type: "CollectDrop"
  table: string
  counted: number
  booked: number
}

/** Correct the balance of a wallet. */
export interface AdjustWallet {
  type: "AdjustWallet"
  person: string
  amount: number
  reason: string
}

/** Correct the balance of a table's float. */
export interface AdjustFloat {
  type: "AdjustFloat"
  table: string
  amount: number
  reason: string
}

/** Why a waiting request is declined or withdrawn. */
export interface DeclineRequest {
  reason: string
}

/** A person with their roles. */
export interface PersonCard {
  person: string
  title: string
  roles: { readonly [key: string]: Post }
  active: boolean
  sessions?: number
}

/** How people are called, by the name they sign in with. */
export interface Titles {
  titles: { readonly [key: string]: string }
}

/** Shown once, and changed at the first sign-in. */
export interface OneTimePassword {
  person: string
  password: string
}

/** A session of a person. */
export interface SessionCard {
  slot: number
  created: number
  seen: number
  address?: string
  agent?: string
}

/** A page of the journal. */
export interface JournalPage {
  entries: readonly AnyEntry[]
  next: number
  versions?: readonly number[]
  sentences?: { readonly [key: string]: string }
}

/** A person was added. */
export interface PersonAdmitted {
  type: "PersonAdmitted"
  person: string
  title: string
  by: Who
}

/** Who did it, in which post, when and from where; `second`: who confirmed it. */
export interface Who {
  person: string
  post: Post | null
  at: number
  address?: string
  request?: string
  second?: string
  confirmed?: Confirmation | null
}

/** A person was given a role. */
export interface RoleGiven {
  type: "RoleGiven"
  person: string
  post: Post
  scope: string
  by: Who
}

/** A person's role was taken away. */
export interface RoleTaken {
  type: "RoleTaken"
  person: string
  scope: string
  by: Who
}

/** A person was disabled and can no longer sign in. */
export interface PersonDisabled {
  type: "PersonDisabled"
  person: string
  reason: string
  by: Who
}

/** A disabled person was enabled. */
export interface PersonEnabled {
  type: "PersonEnabled"
  person: string
  by: Who
}

/** A password was set. `once`: it must be changed at the first sign-in. */
export interface PasswordSet {
  type: "PasswordSet"
  person: string
  once?: boolean
  by: Who
}

/** A person signed in. */
export interface SignedIn {
  type: "SignedIn"
  person: string
  slot?: number
  by: Who
}

/** An attempt to sign in was refused. */
export interface SignInRefused {
  type: "SignInRefused"
  person: string
  reason: string
  by: Who
}

/** A person signed out, or somebody ended their sessions. */
export interface SignedOut {
  type: "SignedOut"
  person: string
  forced?: boolean
  by: Who
}

/** A person sent what their post does not allow, and was refused. */
export interface AccessDenied {
  type: "AccessDenied"
  what: string
  times?: number
  by: Who
}

/** A game of the operator's own. Its content is stored under its fingerprint. */
export interface GameAdded {
  type: "GameAdded"
  game: string
  fingerprint: string
  by: Who
}

/** A table was added. */
export interface TableAdded {
  type: "TableAdded"
  table: string
  game: string
  fingerprint: string
  automatic?: boolean
  by: Who
}

/** Whether the table deals by itself from an electronic shoe. */
export interface DealingSet {
  type: "DealingSet"
  table: string
  automatic: boolean
  by: Who
}

/** A table was retired for good. */
export interface TableRetired {
  type: "TableRetired"
  table: string
  last_round?: number
  by: Who
}

/** A table stopped. */
export interface TableFailed {
  type: "TableFailed"
  table: string
  why: string
  by: Who
}

/** The house started. */
export interface HouseOpened {
  type: "HouseOpened"
  program: string
  digest: string
  by: Who
}

/** The house stopped in order. Tables that were still in a round are named. */
export interface HouseClosed {
  type: "HouseClosed"
  in_round?: readonly string[]
  by: Who
}

/** The machine's clock was set by this many milliseconds. The clock of the house was not affected. */
export interface ClockMoved {
  type: "ClockMoved"
  by_ms: number
  by: Who
}

/** A player's money went into their wallet at the cage. */
export interface Deposited {
  type: "Deposited"
  person: string
  amount: number
  by: Who
}

/** Money was paid out of a player's wallet at the cage. */
export interface Withdrawn {
  type: "Withdrawn"
  person: string
  amount: number
  by: Who
}

/** Chips went from the cage to the table. */
export interface FloatFilled {
  type: "FloatFilled"
  table: string
  amount: number
  by: Who
}

/** Chips went back from the table to the cage. */
export interface FloatCredited {
  type: "FloatCredited"
  table: string
  amount: number
  by: Who
}

/** The float of a table was counted. */
export interface FloatCounted {
  type: "FloatCounted"
  table: string
  counted: number
  booked: number
  by: Who
}

/** A correction is a new entry, never a change of an old one. */
export interface Adjusted {
  type: "Adjusted"
  account: string
  amount: number
  reason: string
  by: Who
}

/** A request waits for somebody else to confirm it. `table` is empty for an administrative command; `command` as */
export interface SecondAsked {
  type: "SecondAsked"
  number: number
  table: string
  command: { readonly [key: string]: unknown }
  by: Who
}

/** A request was confirmed by a second person or by the guest. */
export interface SecondGiven {
  type: "SecondGiven"
  number: number
  refused?: string
  parameters?: { readonly [key: string]: unknown }
  by: Who
}

/** A request was declined or withdrawn. */
export interface SecondDeclined {
  type: "SecondDeclined"
  number: number
  reason: string
  by: Who
}

/** Somebody acknowledged an alert, named by the version of its event at the table or of its entry in the journal, or */
export interface AlertAcknowledged {
  type: "AlertAcknowledged"
  table: string
  version: number
  incident?: number
  entry?: number
  by: Who
}

/** The files of the running program were checked again. */
export interface ProgramChecked {
  type: "ProgramChecked"
  program: string
  digest: string
  by: Who
}

/** Somebody restarted a failed table. If the restart fails, `TableFailed` follows. */
export interface TableRestarted {
  type: "TableRestarted"
  table: string
  by: Who
}

/** An internal error in handling one command. `house incident` sends the command again to the state in which it */
export interface IncidentRaised {
  type: "IncidentRaised"
  number: number
  incident: Incident
  by: Who
}

/** A fault in the program while it handled a command. The house survived it. */
export interface Incident {
  table: string
  version: number
  stage: Stage
  sent?: readonly Sent[]
  error: string
  trace?: readonly string[]
}

export type Stage = "deciding" | "publishing" | "dealing"

/** A command as it was sent, and by whom. `sealed`: a card of a sealed shoe that it named is left out. */
export interface Sent {
  command: { readonly [key: string]: unknown }
  by: By
  sealed?: boolean
  post?: string
}

/** Who acted, in which role and when. */
export interface By {
  person: string
  role: Role
  at: number
  request?: string
  second?: string
  confirmed?: Confirmation | null
  device?: boolean
  house?: boolean
}

/** The program differs from the record, or loads files that nothing declares: the house does not deal. `files`: the */
export interface ProgramDiffers {
  type: "ProgramDiffers"
  digest: string
  files: { readonly [key: string]: string }
  by: Who
}

/** Two people have examined the differences, and the house deals again. */
export interface ProgramReleased {
  type: "ProgramReleased"
  digest: string
  reason: string
  by: Who
}

/** The encrypted rows have a new key. */
export interface KeyRotated {
  type: "KeyRotated"
  by: Who
}

/** The keys with these ids were declared lost. Second factors must be set up again. */
export interface KeyLost {
  type: "KeyLost"
  keys: readonly string[]
  by: Who
}

/** The guest has a new PIN or card. */
export interface ProofSet {
  type: "ProofSet"
  person: string
  how: Confirmation
  by: Who
}

/** The cash in a table's drop box was counted and went to the cage. A difference is an adjustment. */
export interface DropCollected {
  type: "DropCollected"
  table: string
  counted: number
  booked: number
  by: Who
}

/** What a cashier moved since they were last balanced, until they signed out, their last session ended or the house */
export interface CashierBalanced {
  type: "CashierBalanced"
  person: string
  since: number
  sums: { readonly [key: string]: number }
  guests?: { readonly [key: string]: { readonly [key: string]: number } }
  by: Who
}

/** A game as its file describes it, for felts, pay tables and rules. */
export interface GameCard {
  key: string
  title: { readonly [key: string]: string }
  fingerprint: string
  content: Game
  paragraphs: { readonly [key: string]: { readonly [key: string]: string } }
}

/** An alert: an event of a table by its version, an incident by its number, or an entry of the journal by its */
export interface AlertCard {
  table: string
  version: number
  at: number
  kind: string
  to: Role | null
  round: number
  incident?: number
  entry?: number
  waits?: boolean
  worth?: { readonly [key: string]: number }
  stakes?: readonly Stake[]
  may_acknowledge?: boolean
  seen_by?: string
  seen_at?: number
}

/** A table in the lobby. */
export interface TableCard {
  table: string
  game: string
  title: { readonly [key: string]: string }
  phase: Phase
  round: number
  deadline: number
  post: Post | null
  automatic: boolean
  layout?: string | null
  minimum?: number
  differential?: number
  seats?: number
  taken?: number
  players?: number
  results?: readonly string[]
  stopped?: boolean
  held?: boolean
}

/** A command with its request id. A command that is sent twice takes effect once. */
export interface Send {
  request: string
  command: AnyCommand
  proof?: GuestProof | null
}

/** Move money from the wallet to the purse. If somebody else asks for it, the guest has to confirm. */
export interface BuyIn {
  type: "BuyIn"
  person: string
  amount: number
}

/** Move money from the purse to the wallet. */
export interface CashOut {
  type: "CashOut"
  person: string
  amount: number
}

/** A guest without an account buys in under a name given at the table. */
export interface BuyInAtTable {
  type: "BuyInAtTable"
  name: string
  amount: number
  tender: Tender
  again?: boolean
}

export type Tender = "cash" | "chips"

/** A guest without an account leaves with the chips in the purse. `person`: the table's key for the guest. */
export interface LeaveTable {
  type: "LeaveTable"
  person: string
}

/** Take the seat at a box. */
export interface TakeSeat {
  type: "TakeSeat"
  box: number
  person?: string | null
}

/** Leave the seat at a box. */
export interface LeaveSeat {
  type: "LeaveSeat"
  box: number
}

/** The person leaves the table; the bets stay and are settled. */
export interface WalkAway {
  type: "WalkAway"
  person: string
}

/** Give a person a role at this table. The acting role counts, whatever the job title. */
export interface Assign {
  type: "Assign"
  person: string
  role: StaffRank
}

/** Relieve a person of their role at this table. */
export interface Relieve {
  type: "Relieve"
  person: string
}

/** Open the table with this set-up. */
export interface OpenTable {
  type: "OpenTable"
  setup: Setup
}

/** Change the set-up of the table between two rounds. */
export interface ChangeSetup {
  type: "ChangeSetup"
  setup: Setup
  replaces?: Setup | null
}

/** Give notice that the table will close, after one more round or when the notice period ends. */
export interface AnnounceClosing {
  type: "AnnounceClosing"
  reason: string
}

/** Close the table. `cause` and `reason`: only for a closing without notice. */
export interface CloseTable {
  type: "CloseTable"
  cause?: ClosingCause | null
  reason?: string
}

export type ClosingCause = "safety" | "honesty" | "repair"

/** Put a set of cards into the shoe. */
export interface LoadShoe {
  type: "LoadShoe"
  shoe: string
  decks: number
  shuffled: boolean
  source: Source
  commitment?: string | null
  reason?: string
}

/** Take the set of cards in use out of service. */
export interface WithdrawShoe {
  type: "WithdrawShoe"
  reason: string
}

/** Record that the cut card came out of the shoe. */
export interface ShowCutCard {
  type: "ShowCutCard"
}

/** Place one person's slip of bets. */
export interface PlaceBets {
  type: "PlaceBets"
  round: number
  lines: readonly Line[]
  owner?: string | null
  requested?: boolean
}

/** An absolute amount on one bet of one box; 0 withdraws the bet. Electronic tables use box 0. */
export interface Line {
  bet: string
  amount: number
  box: number
}

/** A player objects to another player's bet in their box, or without a name to every other bet there. */
export interface Object {
  type: "Object"
  round: number
  box: number
  against?: string
}

/** Another process of the house takes over the round. Only that process sends it. */
export interface TakeOver {
  type: "TakeOver"
  round: number
  away: number
}

/** Key in a bet that lay there at the close. Once a card is exposed, only a Pit Supervisor or above may. */
export interface AttestBet {
  type: "AttestBet"
  round: number
  owner: string
  line: Line
  attested: boolean
  reason?: string
  worth?: Worth | null
}

/** Record that chips were placed, raised or taken away after the close. */
export interface NoteLateBet {
  type: "NoteLateBet"
  round: number
  person: string
  box: number
  bet: string
  amount: number
  withdrawn?: boolean
}

/** Record that the dealer collected a chip that was taken away after the close. `missing`: its number. */
export interface CollectChip {
  type: "CollectChip"
  missing: number
}

/** Write off a chip that was taken away after the close. */
export interface WriteOffChip {
  type: "WriteOffChip"
  missing: number
  reason: string
}

/** Turn a card face up. */
export interface ExposeCard {
  type: "ExposeCard"
  round: number
  index: number
  card: Card
}

/** Correct the card keyed in last: the dealer's own correction, before anything has followed from it. */
export interface CorrectCard {
  type: "CorrectCard"
  round: number
  index: number
  card: Card
}

/** Ask to squeeze a card before it is dealt. */
export interface RequestSqueeze {
  type: "RequestSqueeze"
  round: number
  index: number
  person?: string | null
}

/** Ask to see the Banker's third card before the Player's, and give up the insurance after the Player's. */
export interface RequestWaiver {
  type: "RequestWaiver"
  round: number
  person?: string | null
}

/** Agree to the waiver, or refuse it, where the house deals. */
export interface AgreeToWaiver {
  type: "AgreeToWaiver"
  round: number
  agrees: boolean
  person?: string | null
}

/** Place an absolute stake in the open insurance window on a box; 0 takes it back. */
export interface Insure {
  type: "Insure"
  round: number
  window: Window
  amount: number
  box?: number
  person?: string | null
}

/** The player does not insure that box in the open window. */
export interface DeclineInsurance {
  type: "DeclineInsurance"
  round: number
  window: Window
  box?: number
  person?: string | null
}

/** Confirm that the dealer has taken or paid all remaining boxes. */
export interface ConfirmRest {
  type: "ConfirmRest"
  round: number
}

/** Take an original stake back, or leave it lying for the next round. */
export interface ChooseAfterTie {
  type: "ChooseAfterTie"
  round: number
  bet: string
  leave: boolean
  box?: number
  person?: string | null
}

/** Report an irregularity, with what was seen. Anyone may. */
export interface Report {
  type: "Report"
  round: number
  fault: Fault
  cards?: readonly (Card | null)[]
  index?: number | null
  lies?: { readonly [key: string]: Side }
  to_person?: boolean
  order_known?: boolean
  note?: string
  since?: number
  shoe?: string
  worth?: Worth | null
}

/** Answer the open question. The sender needs the rank for it. */
export interface Rule {
  type: "Rule"
  question: number
  choice: Choice
  reason?: string
  order?: readonly number[]
  cards?: readonly (Card | null)[]
  bets?: readonly BetTerms[]
  worth?: Worth | null
}

/** A bet and what the House decides for it. The bet is named by owner, box and name, insurance with its window. */
export interface BetTerms {
  owner: string
  bet: string
  terms: Terms
  amount?: number
  box?: number
}

export type Terms = "as_recorded" | "at_stake" | "return" | "pay"

/** Choose an option: the player in person, or a Pit Employee who records what a present player says. */
export interface Elect {
  type: "Elect"
  question: number
  election: Election
  person?: string | null
  present?: boolean
}

/** Record that a display was wrong, and what is correct. */
export interface CorrectDisplay {
  type: "CorrectDisplay"
  round: number
  shown: string
  correct: string
}

/** Record a decision on what the rules leave open, in this round or an earlier one. It may name bets. */
export interface DecideUnprovided {
  type: "DecideUnprovided"
  round: number
  decision: string
  reason?: string
  bets?: readonly BetTerms[]
}

/** The next card, read by an external shoe or a scanner. */
export interface Scanned {
  request: string
  card: string
}

/** The chips on the layout as a chip reader sees them: absolute amounts. */
export interface Chips {
  request: string
  chips: readonly Chip[]
}

/** What a chip reader sees on one bet of one box. */
export interface Chip {
  box: number
  bet: string
  amount: number
  owner?: string | null
}

/** A page of the rounds of a table. */
export interface RoundPage {
  rounds: readonly RoundLine[]
}

/** One round in a list: when it was opened, where in the stream, and how it ended so far. */
export interface RoundLine {
  round: number
  at: number
  version: number
  outcome?: Outcome | null
  ended?: string
}

/** A round as the reader may see it: for a player their own bets and everything public; for staff all of it. */
export interface RoundRecord {
  table: string
  line: RoundLine
  game: string
  cards?: readonly CardView[]
  account?: readonly Sentence[]
  events?: readonly AnyEvent[]
  own?: readonly RoundBet[]
}

/** One line of the account of a round, with the paragraph it cites. */
export interface Sentence {
  text: string
  paragraph?: string | null
}

/** The table opened. */
export interface TableOpened {
  type: "TableOpened"
  setup: Setup
  by: By
  rule?: Cited | null
}

/** The set-up of the table changed. */
export interface SetupChanged {
  type: "SetupChanged"
  setup: Setup
  by: By
  rule?: Cited | null
}

/** Notice that the table will close: after one more round, or at `until`. */
export interface ClosingAnnounced {
  type: "ClosingAnnounced"
  reason: string
  until: number
  by: By
  rule?: Cited | null
}

/** The table closed. `cause`: why it closed without notice to people who had a seat or money there. */
export interface TableClosed {
  type: "TableClosed"
  cause?: ClosingCause | null
  reason?: string
  hears?: boolean
  by: By
  rule?: Cited | null
}

/** Another process of the house took over the round. */
export interface TableTakenOver {
  type: "TableTakenOver"
  round: number
  away: number
  by: By
  rule?: Cited | null
}

/** Stakes held since a tie went back because no later round of this set-up can play them. */
export interface StakesReturned {
  type: "StakesReturned"
  round: number
  stakes: readonly Stake[]
  by: By
  rule?: Cited | null
}

/** A person moved money from their wallet to a purse. */
export interface BoughtIn {
  type: "BoughtIn"
  person: string
  amount: number
  back?: boolean
  by: By
  rule?: Cited | null
}

/** A person moved money from their purse to the wallet. */
export interface CashedOut {
  type: "CashedOut"
  person: string
  amount: number
  by: By
  rule?: Cited | null
}

/** A guest without an account bought in with cash or chips. */
export interface GuestBoughtIn {
  type: "GuestBoughtIn"
  person: string
  amount: number
  tender: Tender
  back?: boolean
  by: By
  rule?: Cited | null
}

/** A guest without an account left with the chips in their purse. */
export interface GuestLeft {
  type: "GuestLeft"
  person: string
  amount: number
  by: By
  rule?: Cited | null
}

/** A person took the seat at a box. */
export interface SeatTaken {
  type: "SeatTaken"
  box: number
  person: string
  by: By
  rule?: Cited | null
}

/** A person left the seat at a box. */
export interface SeatLeft {
  type: "SeatLeft"
  box: number
  person: string
  by: By
  rule?: Cited | null
}

/** A person left the table. Their bets stay: presence never affects settlement. */
export interface WalkedAway {
  type: "WalkedAway"
  person: string
  by: By
  rule?: Cited | null
}

/** The person acts in that role at this table from now on, and in no other. */
export interface RoleAssigned {
  type: "RoleAssigned"
  person: string
  role: Role
  by: By
  rule?: Cited | null
}

/** The person no longer acts in that role at this table. */
export interface RoleRelieved {
  type: "RoleRelieved"
  person: string
  role: Role
  by: By
  rule?: Cited | null
}

/** A set of cards was put into the shoe. */
export interface ShoeLoaded {
  type: "ShoeLoaded"
  shoe: string
  decks: number
  cards: number
  shuffled: boolean
  source: Source
  commitment?: string | null
  burned?: number
  by: By
  rule?: Cited | null
}

/** The set of cards in use left service. */
export interface ShoeWithdrawn {
  type: "ShoeWithdrawn"
  reason: string
  unproven?: boolean
  by: By
  rule?: Cited | null
}

/** A set of cards that is not in use left service. The shoe in use stays. */
export interface SetWithdrawn {
  type: "SetWithdrawn"
  shoe: string
  reason: string
  by: By
  rule?: Cited | null
}

/** The cut card came out of the shoe: one more round follows. */
export interface CutCardShown {
  type: "CutCardShown"
  by: By
  rule?: Cited | null
}

/** Somebody let the next round open although these exposed cards lie in front of the shoe. */
export interface OpeningPermitted {
  type: "OpeningPermitted"
  cards: readonly (Card | null)[]
  by: By
  rule?: Cited | null
}

/** The round began. Stakes held since a tie went back, or play in this round if their owners left them. */
export interface BettingOpened {
  type: "BettingOpened"
  round: number
  deadline: number
  returned?: readonly Stake[]
  left_lying?: readonly Stake[]
  last_of_shoe?: boolean
  not_offered?: readonly string[]
  overlay?: string
  by: By
  rule?: Cited | null
}

/** Bets were placed, changed or withdrawn. Amounts are absolute, 0 for a withdrawal; `was`: the amounts before. */
export interface BetsPlaced {
  type: "BetsPlaced"
  round: number
  stakes: readonly Stake[]
  was: readonly number[]
  by: By
  rule?: Cited | null
}

/** A player's objection to a bet in their box was refused. */
export interface ObjectionRefused {
  type: "ObjectionRefused"
  round: number
  box: number
  against: string
  by: By
  rule?: Cited | null
}

/** An excess over the Differential was handed back. `stakes`: what lies there now; `was`: the amounts before. */
export interface ExcessRejected {
  type: "ExcessRejected"
  round: number
  box: number
  stakes: readonly Stake[]
  was: readonly number[]
  gives_way_to?: string
  by: By
  rule?: Cited | null
}

/** A player was advised that a bet is below the minimum. */
export interface MinimumAdvised {
  type: "MinimumAdvised"
  round: number
  box: number
  person: string
  by: By
  rule?: Cited | null
}

/** A bet below the minimum was handed back. */
export interface BetReturned {
  type: "BetReturned"
  round: number
  stake: Stake
  by: By
  rule?: Cited | null
}

/** The close was shown on the terminals. Bets made before it still count until they have arrived. */
export interface CloseAnnounced {
  type: "CloseAnnounced"
  round: number
  until: number
  by: By
  rule?: Cited | null
}

/** Betting closed: the positions at this moment decide. `cut`: the stakes that do not play in full. */
export interface BettingClosed {
  type: "BettingClosed"
  round: number
  cut?: readonly Playing[]
  under_minimum?: readonly Playing[]
  by_card?: boolean
  by: By
  rule?: Cited | null
}

/** How much of a stake plays, and the paragraph if not all of it does. */
export interface Playing {
  key: string
  plays: number
  rule: Cited | null
}

/** A bet that lay there at the close was keyed in late. */
export interface BetAttested {
  type: "BetAttested"
  round: number
  stake: Stake
  was?: number
  cut?: readonly Playing[]
  by: By
  rule?: Cited | null
}

/** Chips were placed or taken away after the close. Neither counts, because the positions at the close decide. */
export interface LateBetNoted {
  type: "LateBetNoted"
  round: number
  person: string
  box: number
  bet: string
  amount: number
  withdrawn: boolean
  missing?: number
  by: By
  rule?: Cited | null
}

/** A chip that was taken away after the close was collected. `round`: the round of its bet. */
export interface ChipCollected {
  type: "ChipCollected"
  round: number
  missing: number
  by: By
  rule?: Cited | null
}

/** A chip that was taken away after the close was written off. */
export interface ChipWrittenOff {
  type: "ChipWrittenOff"
  round: number
  missing: number
  reason: string
  by: By
  rule?: Cited | null
}

/** A card left the shoe, or the queue in front of it, for that hand. `CardExposed` records its face. */
export interface CardDrawn {
  type: "CardDrawn"
  round: number
  index: number
  to: Side
  carried?: boolean
  squeeze_until?: number
  by: By
  rule?: Cited | null
}

/** A face became visible to everyone. `counted`: the card was seen and counted before it was drawn. */
export interface CardExposed {
  type: "CardExposed"
  round: number
  index: number
  card: Card
  counted?: boolean
  by: By
  rule?: Cited | null
}

/** The card keyed in last was corrected to another. */
export interface CardCorrected {
  type: "CardCorrected"
  round: number
  index: number
  was: Card
  card: Card
  by: By
  rule?: Cited | null
}

/** A player asked to squeeze a card. */
export interface SqueezeRequested {
  type: "SqueezeRequested"
  round: number
  index: number
  person: string
  by: By
  rule?: Cited | null
}

/** A request to squeeze a card was granted or refused. */
export interface SqueezeAnswered {
  type: "SqueezeAnswered"
  round: number
  index: number
  person: string
  permitted: boolean
  by: By
  rule?: Cited | null
}

/** The squeeze of a card is over. */
export interface SqueezeFinished {
  type: "SqueezeFinished"
  round: number
  index: number
  by: By
  rule?: Cited | null
}

/** A player asked to see the Banker's third card before the Player's. */
export interface WaiverRequested {
  type: "WaiverRequested"
  round: number
  person: string
  until?: number
  by: By
  rule?: Cited | null
}

/** A player who could insure agreed to the waiver, or did not. */
export interface WaiverAgreed {
  type: "WaiverAgreed"
  round: number
  person: string
  agrees: boolean
  by: By
  rule?: Cited | null
}

/** The request to see the Banker's third card first was granted or refused. */
export interface WaiverAnswered {
  type: "WaiverAnswered"
  round: number
  person: string
  consent: boolean
  by: By
  rule?: Cited | null
}

/** An insurance window opened. */
export interface InsuranceOpened {
  type: "InsuranceOpened"
  round: number
  window: Window
  bet: string
  insures: Side
  odds: string
  offers: readonly OfferMade[]
  deadline: number
  by: By
  rule?: Cited | null
}

/** A player insured a box. */
export interface InsuranceTaken {
  type: "InsuranceTaken"
  round: number
  window: Window
  stake: Stake
  was: number
  by: By
  rule?: Cited | null
}

/** The player does not insure that box in the window. */
export interface InsuranceDeclined {
  type: "InsuranceDeclined"
  round: number
  window: Window
  person: string
  box: number
  by: By
  rule?: Cited | null
}

/** An insurance window closed. */
export interface InsuranceClosed {
  type: "InsuranceClosed"
  round: number
  window: Window
  by: By
  rule?: Cited | null
}

/** Stakes in these insurance windows went back because the corrected cards change the points that they insured. */
export interface InsuranceReturned {
  type: "InsuranceReturned"
  round: number
  windows: readonly Window[]
  stakes: readonly Stake[]
  by: By
  rule?: Cited | null
}

/** Both hands are complete. */
export interface HandsCompleted {
  type: "HandsCompleted"
  round: number
  outcome: Outcome
  by: By
  rule?: Cited | null
}

/** The round was settled. */
export interface RoundSettled {
  type: "RoundSettled"
  round: number
  outcome: Outcome
  stakes: readonly SettledStake[]
  boxes?: readonly number[]
  by: By
  rule?: Cited | null
}

/** The dealer took or paid these boxes. The last box ends the round. */
export interface BoxesConfirmed {
  type: "BoxesConfirmed"
  round: number
  boxes: readonly number[]
  by: By
  rule?: Cited | null
}

/** After a tie, a player took a stake back or left it for the next round. */
export interface TieChoiceMade {
  type: "TieChoiceMade"
  round: number
  stake: Stake
  leave: boolean
  by: By
  rule?: Cited | null
}

/** An irregularity was reported. */
export interface IrregularityReported {
  type: "IrregularityReported"
  report: Reported
  by: By
  rule?: Cited | null
}

/** Cards left the shoe, or were seen in its mouth, before they were due. They come next in the order of drawing. */
export interface CardsOutOfTurn {
  type: "CardsOutOfTurn"
  round: number
  cards: readonly (Card | null)[]
  by: By
  rule?: Cited | null
}

/** Cards that left the shoe and are out of play by decision of the House. */
export interface CardsSetAside {
  type: "CardsSetAside"
  round: number
  cards: readonly (Card | null)[]
  by: By
  rule?: Cited | null
}

/** A question was put to staff. */
export interface QuestionPut {
  type: "QuestionPut"
  question: Question
  by: By
  rule?: Cited | null
}

/** A fault that takes precedence was reported. The question is asked again if it still matters. */
export interface QuestionWithdrawn {
  type: "QuestionWithdrawn"
  question: number
  by: By
  rule?: Cited | null
}

/** Somebody of the required rank answered a question. */
export interface Ruled {
  type: "Ruled"
  question: number
  choice: Choice
  reason?: string
  by: By
  rule?: Cited | null
}

/** The cards were put back in their intended order. */
export interface CardsReconstructed {
  type: "CardsReconstructed"
  round: number
  cards: readonly (Card | null)[]
  sides: readonly Side[]
  spare?: readonly (Card | null)[]
  as_lying?: boolean
  waived?: boolean
  by: By
  rule?: Cited | null
}

/** The cards could not be put back in order and stay as they lie. */
export interface CardsLeftLying {
  type: "CardsLeftLying"
  round: number
  sides: readonly Side[]
  by: By
  rule?: Cited | null
}

/** A fault was closed, by the paragraph that the event cites. */
export interface FaultClosed {
  type: "FaultClosed"
  round: number
  report: number
  fault: Fault
  grants_options?: boolean
  logged_only?: boolean
  put_back?: readonly (Card | null)[]
  unfounded_claim?: string
  by: By
  rule?: Cited | null
}

/** Players were offered the options to continue or to take their bets back. */
export interface OptionsOffered {
  type: "OptionsOffered"
  round: number
  question: number
  people: readonly string[]
  continues_by: Cited
  returns_by: Cited
  deadline: number
  result_known?: boolean
  by: By
  rule?: Cited | null
}

/** A player chose an option. `present`: staff recorded it, and state that the player was present and said so. */
export interface Elected {
  type: "Elected"
  question: number
  person: string
  election: Election
  present?: boolean
  by: By
  rule?: Cited | null
}

/** The options closed. */
export interface OptionsClosed {
  type: "OptionsClosed"
  round: number
  question: number
  silent: readonly string[]
  returned: readonly Stake[]
  by: By
  rule?: Cited | null
}

/** Play was suspended. */
export interface RoundSuspended {
  type: "RoundSuspended"
  round: number
  cause: string
  by: By
  rule?: Cited | null
}

/** Play resumed in the phase `to`. */
export interface RoundResumed {
  type: "RoundResumed"
  round: number
  to: string
  deadline?: number
  by: By
  rule?: Cited | null
}

/** The round was voided and every bet goes back. */
export interface RoundVoided {
  type: "RoundVoided"
  round: number
  cause: Fault
  refunds: readonly Stake[]
  refunded_by?: Cited | null
  taken_back?: readonly SettledStake[]
  owed?: { readonly [key: string]: number }
  by: By
  rule?: Cited | null
}

/** The round ended because no bets were left. It is neither settled nor void. */
export interface RoundEndedWithoutBets {
  type: "RoundEndedWithoutBets"
  round: number
  by: By
  rule?: Cited | null
}

/** The House ended a round that could not be played out. The round is neither settled nor void. */
export interface RoundDecided {
  type: "RoundDecided"
  round: number
  stakes: readonly SettledStake[]
  named?: readonly BetTerms[]
  by: By
  rule?: Cited | null
}

/** The payments of a settlement were taken back. `owed`: what purses no longer hold of them. */
export interface SettlementReversed {
  type: "SettlementReversed"
  round: number
  stakes: readonly SettledStake[]
  owed?: { readonly [key: string]: number }
  by: By
  rule?: Cited | null
}

/** Money in a purse was set off against its owner's debt. */
export interface DebtSetOff {
  type: "DebtSetOff"
  person: string
  amount: number
  by: By
  rule?: Cited | null
}

/** Spare cards wait in front of the shoe. The first of them is the first card of the next round. */
export interface CardsCarriedOver {
  type: "CardsCarriedOver"
  round: number
  cards: readonly (Card | null)[]
  by: By
  rule?: Cited | null
}

/** Cards that waited in front of the shoe went to the discards: the first `many`, or all. */
export interface CarryOverDiscarded {
  type: "CarryOverDiscarded"
  many?: number | null
  by: By
  rule?: Cited | null
}

/** A wrong display was corrected. */
export interface DisplayCorrected {
  type: "DisplayCorrected"
  round: number
  shown: string
  correct: string
  by: By
  rule?: Cited | null
}

/** Something happened that a rank of staff should look at. */
export interface AlertRaised {
  type: "AlertRaised"
  kind: string
  to: Role
  worth?: { readonly [key: string]: number }
  stakes?: readonly Stake[]
  by: By
  rule?: Cited | null
}

/** A decision on something that the document does not provide for. */
export interface HouseDecided {
  type: "HouseDecided"
  round: number
  decision: string
  reason: string
  by: By
  rule?: Cited | null
}

/** The House decided single bets. `owed`: what purses could not pay. */
export interface BetsDecided {
  type: "BetsDecided"
  round: number
  bets: readonly DecidedBet[]
  owed?: { readonly [key: string]: number }
  by: By
  rule?: Cited | null
}

/** A bet that a decision named. */
export interface DecidedBet {
  terms: BetTerms
  stake?: Stake | null
  laid?: number
  settled?: SettledStake | null
  was?: SettledStake | null
}

/** A bet of a round and what became of it. */
export interface RoundBet {
  owner: string
  box: number
  bet: string
  stake: number
  plays?: number | null
  unplayed_rule?: string | null
  result?: Result | null
  back?: number
  profit?: number
  commission?: number
  commission_rule?: string | null
  pays?: string
  rule?: string | null
}

/** The commitment of an electronic shoe, with proofs of its cards. */
export interface ShoeProof {
  shoe: string
  commitment: string
  in_service: boolean
  cards: readonly CardProof[]
}

/** The proof of one card of an electronic shoe against its commitment; bytes as hexadecimal digits. */
export interface CardProof {
  place: number
  card: string
  salt: string
  path: readonly string[]
}

/** What a waiting request would lead to now, computed on a copy. Nothing is changed. */
export interface Consequence {
  number: number
  told?: readonly Sentence[]
  before?: RoundStatus | null
  after?: RoundStatus | null
  money?: readonly AccountChange[]
  refused?: Sentence | null
  unforeseen?: Unforeseen | null
  files?: readonly string[]
}

/** A round before or after the request takes effect. */
export interface RoundStatus {
  phase: Phase
  round: number
  outcome?: Outcome | null
  bets?: readonly RoundBet[]
}

/** A change of the balance of one account. */
export interface AccountChange {
  account: string
  before: number
  after: number
}

export type Unforeseen = "table_stopped" | "cards_to_come" | "no_money"

/** The rounds that a search found. */
export interface FoundRounds {
  found: readonly FoundRound[]
  before?: number | null
}

/** A round found by a search, with the bets that match it. */
export interface FoundRound {
  table: string
  game: string
  line: RoundLine
  stakes?: readonly RoundBet[]
}

/** A round event by event. `seal`: the seal of its exported file. */
export interface RoundSteps {
  table: string
  line: RoundLine
  game: string
  fingerprint: string
  own_game: boolean
  before_hash: string
  steps: readonly RoundStep[]
  seal: string
  shoe?: string
}

/** One event of a round: its sentence and paragraph, the money it moved, and the bets on the table after it. */
export interface RoundStep {
  version: number
  hash: string
  event: AnyEvent
  account: readonly Sentence[]
  moved: readonly Transfer[]
  cards: readonly CardView[]
  waiting: readonly (string | null)[]
  phase: Phase
  in_play: number
}

/** A transfer of cents from one account to another. */
export interface Transfer {
  kind: TransferKind
  source: string
  target: string
  amount: number
}

export type TransferKind = "buy_in" | "cash_out" | "stake" | "win" | "loss" | "commission" | "push" | "return_unplayed" | "return_option" | "void_refund" | "reversal" | "decision" | "set_off" | "drop" | "deposit" | "withdrawal" | "fill" | "credit" | "adjustment"

/** An exported round: a file that anyone can verify without the house. */
export interface Exported {
  format: string
  table: string
  round: number
  game: string
  before_hash: string
  before: string
  rows: readonly ExportedRow[]
  seal: string
}

/** An event of an exported round as it is stored. */
export interface ExportedRow {
  version: number
  kind: string
  at: number
  body: string
  hash: string
}

/** The health of the server and its tables. */
export interface Health {
  ready: boolean
  tables: number
  failed?: { readonly [key: string]: string }
  dead?: readonly string[]
  draining?: boolean
  program?: string
  held?: boolean
  differs?: readonly string[]
  release?: string
}

/** The figures of `puntobanco odds --json`. `removal`: the effect of removing one card of each rank. */
export interface Figures {
  figures: { readonly [key: string]: unknown }
  removal?: { readonly [key: string]: readonly number[] } | null
}

/** A game of the house, or the text of a game file; a number of decks, or a shoe such as `A=32,2=31,...`. `pays`: */
export interface Pricing {
  game?: string
  content?: string | null
  layout?: string | null
  decks?: number
  shoe?: string | null
  removal?: boolean
  pays?: readonly NewPay[]
}

/** A changed pay line: the bet, the number of the line from 1, and what it would pay with which commission. With a */
export interface NewPay {
  bet: string
  line: number
  pays: string | null
  rate: string | null
}

/** The exact return of every bet on the cards left in the shoe. */
export interface ShoeNow {
  table: string
  version: number
  shoe: string
  cards: number
  returns: { readonly [key: string]: number }
  favourable: readonly string[]
}

/** Cards that everybody has seen before betting is closed, in draw order, and what bets are worth on them. */
export interface InSight {
  table: string
  version: number
  cards: readonly (string | null)[]
  not_offered: readonly string[]
  worth: { readonly [key: string]: number } | null
}

/** The takings of a table compared with theory: 99 of 100 honest tables are between `low` and `high`. */
export interface TableTakings {
  table: string
  rounds: number
  rounds_per_hour: number
  turnover: number
  won: number
  bets: readonly BetTaken[]
  priced?: number
  expected?: number | null
  low?: number | null
  high?: number | null
}

/** The takings of one bet. */
export interface BetTaken {
  bet: string
  bets: number
  turnover: number
  won: number
}

/** A simulation to run. */
export interface SimulationRequest {
  rounds: number
  game?: string
  content?: string | null
  layout?: string | null
  decks?: number
  seed?: number
  pays?: readonly NewPay[]
}

/** The progress and results of a simulation. */
export interface Simulated {
  number: number
  done?: boolean
  progress?: { readonly [key: string]: unknown } | null
}

/** The text of a game file. */
export interface GameSource {
  key: string
  content: string
}

/** An irregularity that can be reported: its paragraph, if the rules provide for it, who decides, and what a report */
export interface FaultCard {
  fault: Fault
  paragraph: string | null
  asked_of: Role
  needs?: readonly string[]
  may?: readonly string[]
}

/** A report or a ruling to preview. */
export interface Foresee {
  command: Report | Rule
}

/** What the report or ruling would lead to, in sentences. Nothing has happened. */
export interface Foreseen {
  phase: Phase
  told?: readonly Sentence[]
  question?: Question | null
  preview?: Preview | null
  choosing?: readonly string[]
  second?: boolean
}

/** A command that waits for the end of the round. A restart of the server discards it. */
export interface QueuedCard {
  number: number
  command: ChangeSetup | CloseTable
  person: string
  at: number
  refused?: string
}

/** A change of the set-up or a closing, for the first moment between rounds. */
export interface QueueRequest {
  command: ChangeSetup | CloseTable
}

/** A name and password to sign in with. */
export interface SignIn {
  name: string
  password: string
  code?: string | null
  new_password?: string | null
}

/** The signed-in person, or the factor that must be set up first. */
export interface Entered {
  me?: Me | null
  enrol?: Enrolled | null
}

/** The signed-in person and their posts, and facts about the house. */
export interface Me {
  person: string
  title: string
  roles: { readonly [key: string]: Post }
  house: string
  play_money: boolean
  slot?: number
  confirmations?: readonly Confirmation[]
  roads_drop_when_free?: boolean
}

/** The second factor to set up, shown once. The next attempt contains a code of it. */
export interface Enrolled {
  secret: string
  uri: string
  recovery: readonly string[]
}

/** A link that signs in once. */
export interface Ticket {
  ticket: string
}

/** The old password and the new one. */
export interface NewPassword {
  old: string
  new: string
}

/** A game as its approved document defines it. Equal content gives an equal fingerprint. */
export interface Game {
  key: string
  title: Words
  version: number
  document: string
  approved: string
  decks: Decks
  round: Round
  tie: Tie
  bet: readonly Bet[]
  rulebook?: string | null
  effective?: string | null
  pit_employees?: string | null
  layout?: readonly Layout[]
  tables?: TableRules | null
  terminal?: Terminal | null
  late_bets?: LateBets | null
  squeeze?: Squeeze | null
  limits?: Limits | null
  insurance?: Insurance | null
  irregularities?: Irregularities
  authority?: Authorities
}

export interface Decks {
  from: number
  to: number
  rule: string
}

/** The course of a round, as paragraphs. */
export interface Round {
  opens: string
  closes: string
  menu: string
  first_four: string
  third_cards: string
  table_of_play: string
  winner: string
  natural: string
  values: readonly string[]
  total: string
  announced_by: Announcer
  begins_and_ends?: string | null
}

export type Announcer = "dealer" | "terminal"

/** What happens to Original Bets on a tie. */
export interface Tie {
  mode: TieMode
  rule: string
}

export type TieMode = "returned" | "may_be_withdrawn"

/** A bet of the menu. The first line that holds decides; if none holds, the bet loses. */
export interface Bet {
  key: string
  title: Words
  rule: string
  loses?: string | null
  original?: boolean
  insures?: Side | null
  lines?: readonly PayLine[]
}

/** One line of a pay table: what a bet pays when the condition holds. */
export interface PayLine {
  when: When
  pays: string
  rule: string
  defined?: string | null
  commission?: Commission | null
  layouts?: readonly string[]
}

/** A condition of a pay line. */
export interface When {
  winner?: Winner | null
  points?: readonly number[] | null
  cards?: readonly number[] | null
  margin?: readonly number[] | null
  player_points?: readonly number[] | null
  banker_points?: readonly number[] | null
  player_cards?: readonly number[] | null
  banker_cards?: readonly number[] | null
  player_pair?: boolean | null
  banker_pair?: boolean | null
  natural?: boolean | null
}

export interface Commission {
  rate: string
  rule: string
}

/** One approved drawing of the felt: its betting boxes, and the bets that it carries. */
export interface Layout {
  key: string
  title: Words
  rule: string
  boxes: number | Boxes
  bets?: readonly string[]
}

/** How many betting boxes a table of the layout may have. */
export interface Boxes {
  from: number
  to: number
}

/** The paragraphs that allow only the document's layouts, and that say how boxes and areas are marked. */
export interface TableRules {
  layouts: string
  boxes: string
  areas?: string | null
}

/** An electronic table: player terminals instead of a felt with boxes. */
export interface Terminal {
  rule: string
  device: string
}

/** Bets placed, raised or withdrawn after the close. */
export interface LateBets {
  mode: LateBetMode
  placed: string
  withdrawn?: string | null
}

export type LateBetMode = "refused" | "not_honoured" | "display"

/** Who may ask to squeeze a card. */
export interface Squeeze {
  right: SqueezeRight
  rule: string
}

export type SqueezeRight = "highest_seated" | "highest" | "consent"

/** Minimum and Differential, for documents with paragraphs on limits. */
export interface Limits {
  differential: string
  displayed: string
  duty: string
  balance: string
  original_bet: string
  seated: string
  standing: string
}

export interface Insurance {
  rule: string
  situations: string
  cap: string
  eligible: string
  tie: string
  waiver: string
  row: readonly InsuranceRow[]
}

/** One row of the insurance pay table. `player` and `banker` are the points the hands have in that window. */
export interface InsuranceRow {
  window: Window
  insures: Side
  player: readonly number[]
  banker: readonly number[]
  odds: string
  rule: string
  pays_on?: Winner | null
}

/** The paragraph for each irregularity. The document does not provide for one that is left out. */
export interface Irregularities {
  over_differential?: OverDifferential | null
  under_minimum?: UnderMinimum | null
  walked_away?: string | null
  interruption?: Interruption | null
  void_causes?: string | null
  foreign_card?: VoidCause | null
  deck_count?: VoidCause | null
  wrong_number_of_cards?: VoidCause | null
  shoe_empty?: VoidCause | null
  unshuffled?: VoidCause | null
  earlier_rounds_stand?: string | null
  excess_or_exposed?: DealingFault | null
  misdirected?: DealingFault | null
  face_up?: DealingFault | null
  simultaneous?: DealingFault | null
  noticed_late?: string | null
  options?: Options | null
  positions_at_close?: string | null
  display?: string | null
  void?: string | null
  reconstruction?: string | null
  discretion?: Discretion
}

export interface OverDifferential {
  rule: string
  pro_rata: string
  under_minimum: string
}

export interface UnderMinimum {
  rule: string
  unnoticed: string
}

export interface Interruption {
  rule: string
  established: string
  not_established: string
}

/** A cause that voids the round in play. `settled_too`: also a settled round, until the next is announced. */
export interface VoidCause {
  rule: string
  settled_too?: boolean
}

/** A dealing error with its own paragraph. `options` gives the players a choice. */
export interface DealingFault {
  rule: string
  options: string
  area?: string | null
  person?: string | null
  replace_shoe?: string | null
}

/** The paragraphs for a Player's choices after a dealing error. */
export interface Options {
  rule: string
  as_lying: string
  reconstructed: string
  returned: string
}

export type Discretion = "absolute" | "reasonable" | "unstated"

/** Who may do what. An action that is left out is reserved for the Shift Manager. */
export interface Authorities {
  open_betting?: Authority | null
  close_betting?: Authority | null
  bet_for_player?: Authority | null
  permit_squeeze?: Authority | null
  consent_to_waiver?: Authority | null
  deal?: Authority | null
  reject_excess?: Authority | null
  advise_minimum?: Authority | null
  refuse_late_bets?: Authority | null
  find_interruption?: Authority | null
  decide_reconstruction?: Authority | null
  order_simultaneous_cards?: Authority | null
  replace_shoe?: Authority | null
  declare_void?: Authority | null
  record_election?: Authority | null
  reverse_settlement?: Authority | null
  change_table?: Authority | null
  correct_display?: Authority | null
  decide_unprovided?: Authority | null
  assign?: Authority | null
}

/** The rank that an action needs, its paragraph, and whether a reason must be given. */
export interface Authority {
  from: StaffRank
  to?: StaffRank
  rule?: string | null
  reason?: boolean
}

/** Which accounts to list. */
export interface Named {
  begins: string
}

/** Whose titles to get. */
export interface TitlesQuery {
  people: string
}

/** Oldest first after version `after`, or newest first before version `before` (0: from the end). */
export interface JournalQuery {
  after: number
  before: number | null
  most: number
  kinds: string
  person: string
  table: string
}

/** Which rounds to list. */
export interface PageQuery {
  before: number | null
  most: number
}

/** `since` and `before` in milliseconds. `least` and `most` in cents, compared with the stake or return of a bet. */
export interface Wanted {
  table: string | null
  since: number
  before: number | null
  person: string | null
  least: number | null
  most: number | null
}

/** On which layout and shoe to compute the edge. */
export interface Edges {
  layout: string | null
  decks: number
}

export type AnyCommand =
  | BuyIn
  | CashOut
  | BuyInAtTable
  | LeaveTable
  | TakeSeat
  | LeaveSeat
  | WalkAway
  | Assign
  | Relieve
  | OpenTable
  | ChangeSetup
  | AnnounceClosing
  | CloseTable
  | LoadShoe
  | WithdrawShoe
  | ShowCutCard
  | OpenBetting
  | PermitOpening
  | PlaceBets
  | Object
  | RejectExcess
  | AdviseMinimum
  | ReturnBet
  | AnnounceClose
  | TakeOver
  | CloseBetting
  | AttestBet
  | NoteLateBet
  | CollectChip
  | WriteOffChip
  | DrawCard
  | ExposeCard
  | CorrectCard
  | RequestSqueeze
  | AnswerSqueeze
  | FinishSqueeze
  | RequestWaiver
  | AgreeToWaiver
  | AnswerWaiver
  | Insure
  | DeclineInsurance
  | CloseInsurance
  | Settle
  | ConfirmBox
  | ConfirmRest
  | ChooseAfterTie
  | Report
  | Rule
  | Elect
  | CloseOptions
  | CorrectDisplay
  | DecideUnprovided

export type AnyEvent =
  | TableOpened
  | SetupChanged
  | ClosingAnnounced
  | TableClosed
  | TableTakenOver
  | StakesReturned
  | BoughtIn
  | CashedOut
  | GuestBoughtIn
  | GuestLeft
  | SeatTaken
  | SeatLeft
  | WalkedAway
  | RoleAssigned
  | RoleRelieved
  | ShoeLoaded
  | ShoeWithdrawn
  | SetWithdrawn
  | CutCardShown
  | OpeningPermitted
  | BettingOpened
  | BetsPlaced
  | ObjectionRefused
  | ExcessRejected
  | MinimumAdvised
  | BetReturned
  | CloseAnnounced
  | BettingClosed
  | BetAttested
  | LateBetNoted
  | ChipCollected
  | ChipWrittenOff
  | CardDrawn
  | CardExposed
  | CardCorrected
  | SqueezeRequested
  | SqueezeAnswered
  | SqueezeFinished
  | WaiverRequested
  | WaiverAgreed
  | WaiverAnswered
  | InsuranceOpened
  | InsuranceTaken
  | InsuranceDeclined
  | InsuranceClosed
  | InsuranceReturned
  | HandsCompleted
  | RoundSettled
  | BoxesConfirmed
  | TieChoiceMade
  | IrregularityReported
  | CardsOutOfTurn
  | CardsSetAside
  | QuestionPut
  | QuestionWithdrawn
  | Ruled
  | CardsReconstructed
  | CardsLeftLying
  | FaultClosed
  | OptionsOffered
  | Elected
  | OptionsClosed
  | RoundSuspended
  | RoundResumed
  | RoundVoided
  | RoundEndedWithoutBets
  | RoundDecided
  | SettlementReversed
  | DebtSetOff
  | CardsCarriedOver
  | CarryOverDiscarded
  | DisplayCorrected
  | AlertRaised
  | HouseDecided
  | BetsDecided

export type AnyEntry =
  | PersonAdmitted
  | RoleGiven
  | RoleTaken
  | PersonDisabled
  | PersonEnabled
  | PasswordSet
  | SignedIn
  | SignInRefused
  | SignedOut
  | AccessDenied
  | GameAdded
  | TableAdded
  | DealingSet
  | TableRetired
  | TableFailed
  | HouseOpened
  | HouseClosed
  | ClockMoved
  | Deposited
  | Withdrawn
  | FloatFilled
  | FloatCredited
  | FloatCounted
  | Adjusted
  | SecondAsked
  | SecondGiven
  | SecondDeclined
  | AlertAcknowledged
  | ProgramChecked
  | TableRestarted
  | IncidentRaised
  | ProgramDiffers
  | ProgramReleased
  | KeyRotated
  | KeyLost
  | ProofSet
  | DropCollected
  | CashierBalanced

export type AnyAdministrativeCommand =
  | Admit
  | GiveRole
  | TakeRole
  | Disable
  | Enable
  | AddGame
  | AddTable
  | SetDealing
  | RestartTable
  | RetireTable
  | ReleaseProgram
  | Acknowledge
  | Deposit
  | Withdraw
  | Fill
  | Credit
  | CountFloat
  | CollectDrop
  | AdjustWallet
  | AdjustFloat

export type FromScreen =
  | Watch
  | Leave
  | Do
  | Here
  | Probe

export type FromHouse =
  | Hello
  | Whole
  | Public
  | Private
  | Answered
  | Misheard
  | WaitingRequests
  | Beat

/** What each operation of the API takes and gives. */
export interface Operations {
  /** Get your wallet, your purses at the tables, and recent movements. */
  own_wallet: { takes: null; gives: Wallet; path: {  }; query: null }
  /** Get the wallet of a player. */
  players_wallet: { takes: null; gives: Wallet; path: { person: string }; query: null }
  /** List account balances. */
  accounts: { takes: null; gives: readonly Account[]; path: {  }; query: Partial<Named> }
  /** List the floats of the tables and their last counts. */
  floats: { takes: null; gives: readonly FloatCard[]; path: {  }; query: null }
  /** List what each cashier has moved since their last balancing; cashiers see their own. */
  tills: { takes: null; gives: readonly TillReport[]; path: {  }; query: null }
  /** Set your PIN or card, which confirms what staff do with your money. */
  set_proof: { takes: GuestProof; gives: null; path: {  }; query: null }
  /** Set the first PIN or card of a guest, keyed in by the guest at the cage. */
  give_proof: { takes: GuestProof; gives: null; path: { person: string }; query: null }
  /** Send an administrative command: users, tables, games, cashier transactions. */
  errand: { takes: AdministrativeRequest; gives: Answer; path: {  }; query: null }
  /** List requests that wait for a second person or a guest: yours and those you may confirm. */
  waiting: { takes: null; gives: readonly ConfirmationCard[]; path: {  }; query: null }
  /** Confirm a request as the second person or the guest, and carry it out. */
  confirm: { takes: null; gives: Answer; path: { number: string }; query: null }
  /** Decline a request, or withdraw your own. */
  decline: { takes: DeclineRequest; gives: Answer; path: { number: string }; query: null }
  /** List all users. */
  people: { takes: null; gives: readonly PersonCard[]; path: {  }; query: null }
  /** Get how people are called, by sign-in name; without those the caller may not know. */
  titles: { takes: null; gives: Titles; path: {  }; query: Partial<TitlesQuery> }
  /** Set a one-time password and end all sessions of the user. */
  give_password: { takes: null; gives: OneTimePassword; path: { person: string }; query: null }
  /** End all sessions and live connections of a user. */
  force_out: { takes: null; gives: null; path: { person: string }; query: null }
  /** List the sessions of a user. */
  sessions_of: { takes: null; gives: readonly SessionCard[]; path: { person: string }; query: null }
  /** Read the journal. */
  journal: { takes: null; gives: JournalPage; path: {  }; query: Partial<JournalQuery> }
  /** List the games. */
  games: { takes: null; gives: readonly GameCard[]; path: {  }; query: null }
  /** Get a game: layouts, bets, pay lines and paragraphs. */
  game: { takes: null; gives: GameCard; path: { game: string }; query: null }
  /** List alerts, newest first, and who acknowledged them. */
  alerts: { takes: null; gives: readonly AlertCard[]; path: {  }; query: null }
  /** List the tables, as in the lobby. */
  tables: { takes: null; gives: readonly TableCard[]; path: {  }; query: null }
  /** Get the caller's view of a table. */
  table: { takes: null; gives: Whole; path: { table: string }; query: null }
  /** Send a command to a table; a retry returns the original answer. */
  send: { takes: Send; gives: Answer; path: { table: string }; query: null }
  /** Send the next card from a scanner or an external shoe. */
  scan: { takes: Scanned; gives: Answer; path: { table: string }; query: null }
  /** Send what a chip reader sees in the boxes of one person. */
  chips: { takes: Chips; gives: Answer; path: { table: string }; query: null }
  /** List the rounds of a table, newest first. */
  rounds: { takes: null; gives: RoundPage; path: { table: string }; query: Partial<PageQuery> }
  /** Get a round, explained by paragraph. */
  round: { takes: null; gives: RoundRecord; path: { table: string; round: string }; query: null }
  /** Get the commitment of the electronic shoe in use and its card proofs. */
  shoe: { takes: null; gives: ShoeProof; path: { table: string }; query: null }
  /** Get the commitment of an earlier shoe and proofs of all its cards. */
  earlier_shoe: { takes: null; gives: ShoeProof; path: { table: string; shoe: string }; query: null }
  /** Preview what a request that waits would lead to, before and after. */
  consequence: { takes: null; gives: Consequence; path: { number: string }; query: null }
  /** Find rounds by table, time, player and amount, newest first. */
  find_rounds: { takes: null; gives: FoundRounds; path: {  }; query: Partial<Wanted> }
  /** Step through a round: cards, money, text and paragraphs. */
  round_steps: { takes: null; gives: RoundSteps; path: { table: string; round: string }; query: null }
  /** Export a round as a file that anyone can verify. */
  export_round: { takes: null; gives: Exported; path: { table: string; round: string }; query: null }
  /** Get the health of the server and of each table. */
  health: { takes: null; gives: Health; path: {  }; query: null }
  /** Get the exact edge of every bet on a full shoe. */
  edges: { takes: null; gives: Figures; path: { game: string }; query: Partial<Edges> }
  /** Compute the exact odds of every bet of a game or game file on any shoe. */
  odds: { takes: Pricing; gives: Figures; path: {  }; query: null }
  /** Get the exact return of every bet on the cards left in the shoe. */
  shoe_now: { takes: null; gives: ShoeNow; path: { table: string }; query: null }
  /** Get the return of every bet on the cards in sight before betting closes. */
  worth: { takes: null; gives: InSight; path: { table: string }; query: null }
  /** Compare the takings of a table with theory. */
  takings: { takes: null; gives: TableTakings; path: { table: string }; query: null }
  /** Start a simulation, at low priority. */
  simulate: { takes: SimulationRequest; gives: Simulated; path: {  }; query: null }
  /** Get the progress and results of a simulation. */
  simulated: { takes: null; gives: Simulated; path: { number: string }; query: null }
  /** Stop a simulation and keep its results. */
  stop: { takes: null; gives: null; path: { number: string }; query: null }
  /** Get the source of a game file. */
  game_source: { takes: null; gives: GameSource; path: { game: string }; query: null }
  /** List irregularities that can be reported, with paragraph and who decides. */
  faults: { takes: null; gives: readonly FaultCard[]; path: { table: string }; query: null }
  /** Preview a report or a ruling without carrying it out. */
  foresee: { takes: Foresee; gives: Foreseen; path: { table: string }; query: null }
  /** List changes that wait for the end of the round. */
  queued: { takes: null; gives: readonly QueuedCard[]; path: { table: string }; query: null }
  /** Change the set-up or close at the first moment between rounds. */
  queue: { takes: QueueRequest; gives: Answer; path: { table: string }; query: null }
  /** Cancel a change that waits for the end of the round. */
  unqueue: { takes: null; gives: Answer; path: { table: string; number: string }; query: null }
  /** Sign in with name and password. */
  sign_in: { takes: SignIn; gives: Entered; path: {  }; query: null }
  /** Sign in with a one-time link. */
  use_ticket: { takes: Ticket; gives: Entered; path: {  }; query: null }
  /** Sign out. */
  sign_out: { takes: null; gives: null; path: {  }; query: null }
  /** Get the signed-in user and their roles. */
  me: { takes: null; gives: Me; path: {  }; query: null }
  /** Change your password and end all your other sessions. */
  change_password: { takes: NewPassword; gives: null; path: {  }; query: null }
}

export const operations = {
  own_wallet: ["GET", "/wallet"],
  players_wallet: ["GET", "/people/{person}/wallet"],
  accounts: ["GET", "/accounts"],
  floats: ["GET", "/floats"],
  tills: ["GET", "/tills"],
  set_proof: ["POST", "/proof"],
  give_proof: ["POST", "/people/{person}/proof"],
  errand: ["POST", "/office"],
  waiting: ["GET", "/waiting"],
  confirm: ["POST", "/waiting/{number}/confirm"],
  decline: ["POST", "/waiting/{number}/decline"],
  people: ["GET", "/people"],
  titles: ["GET", "/titles"],
  give_password: ["POST", "/people/{person}/password"],
  force_out: ["POST", "/people/{person}/sign-out"],
  sessions_of: ["GET", "/people/{person}/sessions"],
  journal: ["GET", "/book"],
  games: ["GET", "/games"],
  game: ["GET", "/games/{game}"],
  alerts: ["GET", "/alerts"],
  tables: ["GET", "/tables"],
  table: ["GET", "/tables/{table}"],
  send: ["POST", "/tables/{table}/commands"],
  scan: ["POST", "/tables/{table}/cards"],
  chips: ["POST", "/tables/{table}/chips"],
  rounds: ["GET", "/tables/{table}/rounds"],
  round: ["GET", "/tables/{table}/rounds/{round}"],
  shoe: ["GET", "/tables/{table}/shoe"],
  earlier_shoe: ["GET", "/tables/{table}/shoes/{shoe}"],
  consequence: ["GET", "/waiting/{number}"],
  find_rounds: ["GET", "/rounds"],
  round_steps: ["GET", "/tables/{table}/rounds/{round}/steps"],
  export_round: ["GET", "/tables/{table}/rounds/{round}/export"],
  health: ["GET", "/health"],
  edges: ["GET", "/games/{game}/edges"],
  odds: ["POST", "/odds"],
  shoe_now: ["GET", "/tables/{table}/shoe-now"],
  worth: ["GET", "/tables/{table}/worth"],
  takings: ["GET", "/tables/{table}/takings"],
  simulate: ["POST", "/simulations"],
  simulated: ["GET", "/simulations/{number}"],
  stop: ["POST", "/simulations/{number}/stop"],
  game_source: ["GET", "/games/{game}/source"],
  faults: ["GET", "/tables/{table}/faults"],
  foresee: ["POST", "/tables/{table}/foresee"],
  queued: ["GET", "/tables/{table}/queued"],
  queue: ["POST", "/tables/{table}/queue"],
  unqueue: ["POST", "/tables/{table}/queue/{number}/cancel"],
  sign_in: ["POST", "/sign-in"],
  use_ticket: ["POST", "/ticket"],
  sign_out: ["POST", "/sign-out"],
  me: ["GET", "/me"],
  change_password: ["POST", "/password"],
} as const satisfies { [name in keyof Operations]: readonly [string, string] }
