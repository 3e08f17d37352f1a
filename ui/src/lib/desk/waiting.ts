/** What waits for a second person or a guest, in words. */

import { show, signed } from "../money"
import { called } from "../people.svelte"
import type { AnyAdministrativeCommand, BuyIn, ConfirmationCard } from "../wire"
import { t } from "./words"

/** What moves money, or is asked of the office, as it can be read out; nothing for what only a table knows. */
export function asked(card: Pick<ConfirmationCard, "command" | "table">): string | undefined {
  const command = card.command as unknown as AnyAdministrativeCommand | BuyIn
  switch (command.type) {
    case "CollectDrop":
      return t("what_CollectDrop", { table: command.table, amount: show(command.counted) })
    case "Fill":
    case "Credit":
      return t(`what_${command.type}`, { table: command.table, amount: show(command.amount) })
    case "Deposit":
    case "Withdraw":
      return t(`what_${command.type}`, { person: called(command.person), amount: show(command.amount) })
    case "BuyIn":
      return t("what_BuyIn", { person: called(command.person), table: card.table, amount: show(command.amount) })
    case "AdjustWallet":
      return t("what_AdjustWallet", { person: called(command.person), amount: signed(command.amount) })
    case "AdjustFloat":
      return t("what_AdjustFloat", { table: command.table, amount: signed(command.amount) })
    case "ReleaseProgram":
      return t("what_ReleaseProgram", { digest: command.digest.slice(0, 12) })
    default:
      return undefined
  }
}
