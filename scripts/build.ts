// npm run build: builds what the first start would build. bootstrap.mjs has already installed the packages and built the Whisper addon.
import { dirname } from 'node:path'
import { buildWebIfStale } from './web/build.ts'

await buildWebIfStale(dirname(import.meta.dirname))
console.log('Built. "npm start" now needs neither network nor build tools.')
