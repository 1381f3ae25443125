// npm run build: leaves nothing for the first start to do. Packages and the Whisper addon are there when this runs: bootstrap.mjs.
import { dirname } from 'node:path'
import { buildWebIfStale } from './web/build.ts'

await buildWebIfStale(dirname(import.meta.dirname))
console.log('Built. "npm start" now needs neither network nor build tools.')
