import { createStore } from '../client/store.ts';

const KEY = 'earshot.theme';

export const THEMES = [
  { id: 'system', label: 'Match the system' },
  { id: 'light', label: 'Light' },
  { id: 'dark', label: 'Dark' },
] as const;
export type Theme = (typeof THEMES)[number]['id'];

/** Kept for the script that sets it before the first paint. */
export const theme = createStore<Theme>(THEMES.find(({ id }) => id === localStorage.getItem(KEY))?.id ?? 'system');

export function fixTheme(chosen: Theme): void {
  theme.set(chosen);
  localStorage.setItem(KEY, chosen);
  if (chosen === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = chosen;
}
