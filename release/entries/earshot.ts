#!/usr/bin/env node
import module from 'node:module';

/** The command of the small package. Later starts find their code compiled, where Node can keep it. */
module.enableCompileCache?.();
const { main } = await import('../../cli/main.ts');
process.exitCode = await main(process.argv);
