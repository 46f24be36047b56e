import { hash, randomBytes } from 'node:crypto';

export const KEY_PREFIX = 'svc_';
const KEY_FORM = /^svc_[A-Za-z0-9_-]{32}$/;

/** `svc_` and 32 characters that carry 24 random bytes: at 192 bits a slow hash would buy nothing. */
export const newKeySecret = () => `${KEY_PREFIX}${randomBytes(24).toString('base64url')}`;

export const hasKeyForm = (text: string) => KEY_FORM.test(text);

/** A token that lets calls in: `ing_` and 32 characters of the same make. */
const INGEST_PREFIX = 'ing_';
const INGEST_FORM = /^ing_[A-Za-z0-9_-]{32}$/;

export const newIngestSecret = () => `${INGEST_PREFIX}${randomBytes(24).toString('base64url')}`;

export const hasIngestForm = (text: string) => INGEST_FORM.test(text);

/** The secret of a one-time link. */
export const newLinkSecret = () => randomBytes(24).toString('base64url');

/** Where a one-time link leads. What follows the # stays in the browser: no server, log or other page is told of it. */
export const linkTo = ({ publicUrl }: { publicUrl: string }, secret: string) => `${publicUrl}/links#${secret}`;

/** What is stored of any secret that we only have to recognise. */
export const secretHash = (secret: string) => hash('sha256', secret, 'hex');
