import type { Database } from '../../db/database.ts';
import { installationKeyPlace } from '../../db/secrets/sealed-places.ts';
import { keepInstallationKey } from '../../db/system/installation-keys.ts';
import type { Vault } from '../../secrets.ts';

const NAME = 'hashing';
const PLACE = installationKeyPlace(NAME);

/** The secret is not the one under which the database was sealed. */
export class WrongSecretError extends Error {
  override name = 'WrongSecretError';
}

const WRONG_SECRET =
  'EARSHOT_SECRET is not the one under which this database was sealed: set it back, or name the one before in EARSHOT_SECRET_EARLIER.';

/**
 * Has the vault hash by the key that this installation began with, by which callers and erased calls are known, whatever
 * became of the secret since.
 * @throws WrongSecretError where it can not be opened.
 */
export async function keepHashingKey(database: Database, vault: Vault): Promise<void> {
  const own = vault.seal(vault.hashingKey.toString('base64url'), PLACE);
  const kept = await keepInstallationKey(database.unscoped(), NAME, own);
  try {
    vault.hashingKey = Buffer.from(vault.open(kept, PLACE), 'base64url');
  } catch (error) {
    throw new WrongSecretError(WRONG_SECRET, { cause: error });
  }
}
