import { createStore } from '../client/store.ts';

/** Whether the copilot stands beside the page. */
export const copilotOpen = createStore(false);

export const toggleCopilot = () => copilotOpen.set(!copilotOpen.get());
