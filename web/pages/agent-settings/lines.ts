/** The lines of a field that hold something. */
export const linesOf = (text: FormDataEntryValue | null) =>
  String(text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
