/**
 * Something that a person can fix: the message is one plain sentence (or two) that says what is wrong and what to do.
 * It is shown as it is, without a stack.
 */
export class UserFacingError extends Error {
  /** @override */
  name = 'UserFacingError';
}

/**
 * What somebody threw, in its own words; empty where it has none.
 * @param {unknown} error
 */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/**
 * Says in plain words why a file could not be written or read.
 * @param {unknown} error
 * @param {string} place The folder or file that it was about.
 * @returns {UserFacingError | null} Null when it is no error of the file system.
 */
export function fileTrouble(error, place) {
  const code = /** @type {NodeJS.ErrnoException} */ (error)?.code;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new UserFacingError(
      `The disk that holds ${place} is full: free some space there (1 GB is enough), then start again.`,
    );
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return new UserFacingError(
      `This user may not write to ${place}: change its owner, or set EARSHOT_DATA to a folder that you can write to.`,
    );
  }
  if (code === 'EROFS') {
    return new UserFacingError(
      `${place} lies on a read-only file system: set EARSHOT_DATA to a folder that can be written to.`,
    );
  }
  if (code === 'ENOTDIR' || code === 'EEXIST') {
    return new UserFacingError(`${place} is not a folder: move that file away, or set EARSHOT_DATA to another folder.`);
  }
  return null;
}

/**
 * The last lines of what a program printed, for a message.
 * @param {string} text
 * @param {number} count
 */
export const lastLines = (text, count) => usefulLines(text).slice(-count).join('\n');

/**
 * The first lines of what a program printed, for a message.
 * @param {string} text
 * @param {number} count
 */
export const firstLines = (text, count) => usefulLines(text).slice(0, count).join('\n');

/** @param {string} text */
function usefulLines(text) {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter(Boolean);
}
