/** Below which path the server is reached, as it wrote it into the page: `/earshot`, or nothing. */
export const BASE = document.documentElement.dataset['base'] ?? '';
