/** What the control worker runs. Names are the ones in `src/durable`. */
export { agentDesk } from './agent-desk.ts';
export { importCalls } from './import-calls.ts';
