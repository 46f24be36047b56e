import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

interface Validate {
  (value: unknown): boolean;
  errors?: { instancePath: string; message?: string; params: unknown }[] | null;
}
interface Validator {
  addSchema(schema: unknown, key: string): void;
  compile(schema: unknown): Validate;
}

/** The JSON Schema validator (draft 2020-12) that Fastify brings along: a second opinion beside zod, which made the schemas. */
export function createValidator(): Validator {
  const fromFastify = createRequire(createRequire(fileURLToPath(import.meta.url)).resolve('fastify'));
  const fromCompiler = createRequire(fromFastify.resolve('@fastify/ajv-compiler'));
  const { default: Ajv2020 } = fromCompiler('ajv/dist/2020.js') as {
    default: new (options: object) => Validator;
  };
  const validator = new Ajv2020({ strict: false, allErrors: true });
  (fromCompiler('ajv-formats') as (target: Validator) => void)(validator);
  return validator;
}
