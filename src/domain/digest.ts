import { hash } from 'node:crypto';

/**
 * SHA-256 as hexadecimal digits, for keys that must not collide. A lone surrogate counts as U+FFFD. No workflow may reach
 * it: their sandbox has no `node:crypto`, and their bundle fails.
 */
export const sha256Hex = (text: string): string => hash('sha256', text);
