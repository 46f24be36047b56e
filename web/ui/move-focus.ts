/** Puts the focus on the next or the one before of the rows in a list. */
export function moveFocus(list: HTMLElement | null, by: number): void {
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  rows[Math.min(Math.max(at + by, 0), rows.length - 1)]?.focus();
}
