import { createRequire } from 'node:module'
import { sherpaFamilies, sherpaFamilyNames } from '#engine/models/sherpa-families.ts'
import { recognizerConfig } from '../recognizer-config.ts'

/** Passes the configuration of a family to sherpa-onnx, which prints it and then fails because the files do not exist. */
const { OfflineRecognizer } = createRequire(import.meta.url)('sherpa-onnx-node') as {
  OfflineRecognizer: { createAsync(config: object): Promise<unknown> }
} // it ships no types
const family = sherpaFamilyNames.find((name) => name === process.argv[2]) ?? 'whisper'
const files = Object.fromEntries(sherpaFamilies[family].roles.map((role) => [role, `/m/${role}`]))
const { modelConfig, ...rest } = recognizerConfig({ family, files, threads: 3, language: 'en' })
await OfflineRecognizer.createAsync({ ...rest, modelConfig: { ...modelConfig, debug: 1 } }).catch(() => undefined)
