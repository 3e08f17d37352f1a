/** The field a dialog begins with: it has the focus once the dialog is shown. */
export function first(node: HTMLElement): void {
  requestAnimationFrame(() => node.focus())
}
