import { readFileSync } from 'node:fs';
import { messageOf, UserFacingError } from './user-facing-error.js';

/** Variables that hold a secret. Each may name a file in `<variable>_FILE` instead, as containers are given theirs. */
export const SECRET_VARIABLES = [
  'ANTHROPIC_API_KEY',
  'DATABASE_URL',
  'EARSHOT_ADMIN_PASSWORD',
  'EARSHOT_KEY',
  'EARSHOT_METRICS_TOKEN',
  'EARSHOT_MIGRATION_URL',
  'EARSHOT_MODEL_KEY',
  'EARSHOT_OIDC_CLIENT_SECRET',
  'EARSHOT_PASSWORD',
  'EARSHOT_PLATFORM_KEY',
  'EARSHOT_SECRET',
  'EARSHOT_SECRET_EARLIER',
  'EARSHOT_SMTP_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
  'TEMPORAL_API_KEY',
] as const;

/**
 * Puts what the files hold into their variables, where libraries that read the environment by themselves find it too, and
 * takes the names of the files out, so that a process that is started from this one does not read them again.
 * @throws UserFacingError that names the variable, where its file can't be read or both are set; without what it holds.
 */
export function takeSecretFiles(env: NodeJS.ProcessEnv): void {
  for (const name of SECRET_VARIABLES) {
    const file = env[`${name}_FILE`];
    if (!file) continue;
    if (env[name]) throw new UserFacingError(`${name} and ${name}_FILE are both set: keep one of them.`);
    env[name] = contentOf(file, `${name}_FILE`);
    delete env[`${name}_FILE`];
  }
}

/** Whoever writes a file with an editor ends it with a line end, which belongs to no secret. */
function contentOf(file: string, variable: string): string {
  try {
    return readFileSync(file, 'utf8').trimEnd();
  } catch (error) {
    throw new UserFacingError(`The file that ${variable} names can't be read (${messageOf(error)}).`);
  }
}
