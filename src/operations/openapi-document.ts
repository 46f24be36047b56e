export type Schema = Record<string, unknown>;

export interface OpenApiDocument {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Schema>>;
  components: { responses: Record<string, Schema>; schemas: Record<string, Schema>; securitySchemes: Schema };
  security: Schema[];
  [key: string]: unknown;
}
