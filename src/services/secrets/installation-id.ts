import type { Database } from '../../db/database.ts';
import { installationKeyPlace } from '../../db/secrets/sealed-places.ts';
import { keepInstallationKey } from '../../db/system/installation-keys.ts';
import { newId } from '../../ids.ts';
import type { Vault } from '../../secrets.ts';

const NAME = 'installation';
const PLACE = installationKeyPlace(NAME);

/** By which others know this installation: made at its first start, whatever becomes of its secret. */
export async function installationId(database: Database, vault: Vault): Promise<string> {
  const kept = await keepInstallationKey(database.unscoped(), NAME, vault.seal(newId(), PLACE));
  return vault.open(kept, PLACE);
}
