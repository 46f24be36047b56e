import { createSteps } from './steps.js';
import { buildWeb } from './web-build.ts';

/** `npm run build`: what a delivery needs besides its sources. */
const step = createSteps(process.stdout).begin('Web app');
step.done(await buildWeb());
