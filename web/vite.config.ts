import react from '@vitejs/plugin-react'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { defineConfig } from 'vite'
import { createChunkNames } from './chunk-names.ts'
import { compileTexts } from './compile-texts.ts'
import { leanZod } from './lean-zod.ts'
import { withoutDocumentation } from './without-documentation.ts'

// postcss-preset-mantine is CommonJS and carries no types.
const mantinePreset = createRequire(import.meta.url)('postcss-preset-mantine')

/** Where `vite dev` finds the server. */
const serverOrigin = process.env.AWAZ_SERVER ?? 'http://127.0.0.1:5000'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [compileTexts(), react(), leanZod(), withoutDocumentation()],
  css: { postcss: { plugins: [mantinePreset()] } },
  // The server replaces this placeholder by a fresh nonce in every response with index.html.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The first page lists every chunk by file name: readable names would cost it 1.4 kB of gzip, and hashes hardly compress. 42 bits
    // distinguish the few hundred files of a build, and each from its earlier versions.
    rolldownOptions: {
      output: {
        chunkFileNames: 'assets/[hash:7].js',
        assetFileNames: 'assets/[hash:7][extname]',
        codeSplitting: {
          groups: [{ name: createChunkNames(join(import.meta.dirname, 'src')), includeDependenciesRecursively: false }],
        },
      },
    },
  },
  server: { port: 5173, proxy: { '/api': serverOrigin, '/healthz': serverOrigin, '/readyz': serverOrigin } },
})
