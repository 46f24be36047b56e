/** Such as `10:52 UTC`, with the date where it is another day. */
export function clock(atMs: number, nowMs: number): string {
  const at = new Date(atMs).toISOString();
  const time = `${at.slice(11, 16)} UTC`;
  return at.slice(0, 10) === new Date(nowMs).toISOString().slice(0, 10) ? time : `${at.slice(0, 10)} ${time}`;
}
