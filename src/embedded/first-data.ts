import { type Database, openDatabase } from '../db/database.ts';
import { migrate, NewerDatabaseError } from '../db/migrate.ts';
import { Trouble } from './trouble.js';

/** Shown once, when they are made; null afterwards. */
export interface FirstSecrets {
  /** Where the first person sets a password. */
  signInLink: string | null;
  key: string | null;
  session: string | null;
  /** What was made, in words. */
  text: string;
}
