import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { bundledPackages, noticesOf } from '../release/bundled.ts';

/** Every text file once more in gzip, so that nothing is compressed while somebody waits. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    // From what was written: before that, the bundle still holds marks that are replaced last.
    writeBundle({ dir = '' }) {
      for (const name of globSync('assets/*.{js,css}', { cwd: dir })) {
        const file = join(dir, name);
        writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
      }
    },
  };
}

/** A style sheet's import, which the bundler never sees as a module. */
const IN_STYLES = ['tailwindcss'].map((name) => join(import.meta.dirname, '..', 'node_modules', name, 'package.json'));

/** The licences of all whose code, styles or fonts are part of the files, as those ask for. */
function notices(): Plugin {
  return {
    name: 'notices',
    apply: 'build',
    generateBundle(_options, bundle) {
      const made = Object.values(bundle).flatMap((each) =>
        each.type === 'chunk' ? each.moduleIds : each.originalFileNames.map((name) => join(import.meta.dirname, name)),
      );
      const source = noticesOf(bundledPackages([...made, ...IN_STYLES]));
      this.emitFile({ type: 'asset', fileName: 'notices.txt', source });
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  // Parts of the app find one another wherever it is; the server writes into the page where that is.
  base: './',
  plugins: [react(), tailwindcss(), notices(), compressed()],
  build: {
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    // The content policy lets nothing through that is written into a page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
