/** The number of a label such as `v7`; null where the platform gives none or names its versions otherwise. */
export function numberOfVersion(label: string | null | undefined): number | null {
  const digits = /^v?(\d{1,9})$/.exec(label?.trim() ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
}
