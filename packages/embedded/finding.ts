export type { Finding } from '../../src/domain/installation/findings.ts';
