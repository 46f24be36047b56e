import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Whether the environment, or a configuration file of the Temporal SDK, may name a server. This is the quick look
 * before anything is installed; the SDK itself reads the profile later.
 * @param {NodeJS.ProcessEnv} env
 * @returns {boolean}
 */
export function namesTemporalServer(env) {
  return (
    Boolean(env.TEMPORAL_ADDRESS || env.TEMPORAL_PROFILE || env.TEMPORAL_CONFIG_FILE) || existsSync(configFile(env))
  );
}

/** @param {NodeJS.ProcessEnv} env @returns {string} Where the SDK looks for `temporal.toml`. */
function configFile(env) {
  if (process.platform === 'darwin') return join(homedir(), 'Library/Application Support/temporalio/temporal.toml');
  if (process.platform === 'win32') return join(env.APPDATA ?? homedir(), 'temporalio', 'temporal.toml');
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'temporalio', 'temporal.toml');
}
