import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Loose } from './world.ts';

interface Problem {
  instancePath: string;
  message?: string;
  params: unknown;
}
interface Validate {
  (value: unknown): boolean;
  errors?: Problem[] | null;
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

/**
 * Of an OpenAPI document: what a value has against one of its schemas, a line each; nothing where it fits. A schema is
 * compiled once, however often it stands in the document.
 */
export function createDocumentCheck(document: { components: unknown }): (schema: unknown, value: unknown) => string[] {
  const validator = createValidator();
  validator.addSchema({ $id: 'https://document.test/', components: document.components }, 'document');
  const compiled = new Map<string, Validate>();
  return (schema, value) => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"https://document.test/#/components/');
    const validate = compiled.get(text) ?? validator.compile(JSON.parse(text));
    compiled.set(text, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map((e) => `${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`);
  };
}

/** What a document says of an operation's answer with a status; answers that stand among the components are looked up. */
export function answerIn(document: { components: unknown }, operation: Loose, status: number | string): Loose {
  const answer = operation.responses[status];
  if (!answer?.$ref) return answer;
  const [, ...path] = answer.$ref.split('/');
  return path.reduce((at: Loose, name: string) => at[name], document);
}
