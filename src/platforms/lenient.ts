import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../domain/json.ts';
import { numberOf } from './values.ts';

export { asObject, given, idOf, metadataOf, numberOf, shortText, textMap, textOf } from './values.ts';

/**
 * Fields of payloads that others write: a value of an unexpected type reads as absent, so that one odd field never
 * costs the call it sits in.
 */
export const anything = z.custom<Json>().optional();
export const text = z.string().nullable().catch(null);
export const number = z.preprocess(numberOf, z.number().nullable()).catch(null);
export const flag = z.boolean().nullable().catch(null);
export const list = z.array(z.unknown()).nullable().catch(null);
export const object = z.custom<JsonObject>(isJsonObject).nullable().catch(null);
