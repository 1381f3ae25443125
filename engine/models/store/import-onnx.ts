import { join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import type { ModelEntry, ModelFile } from '../model-entry.ts'
import { findSherpaProblem } from '../sherpa-files.ts'
import type { SherpaSpeechModel } from '../sherpa-files.ts'
import { copyFolder } from './copy-folder.ts'
import type { RecognizedModel } from './recognize-model.ts'
import type { ImportOptions } from './import-options.ts'
import { saveLocalEntry } from './local-catalog.ts'
import { makeOnnxEntry } from './make-entry.ts'
import { listOnnxFiles } from './list-onnx-files.ts'
import { measureFiles } from './measure-files.ts'
import type { StoreOptions } from './store-options.ts'

/** Imports the folder of a model for sherpa-onnx: the files from which it is loaded, and weights stored next to a network. */
export async function importOnnx(
  { folder, onnx }: Extract<RecognizedModel, { kind: 'onnx' }>,
  { id, known }: { id: string; known: ModelEntry | undefined },
  options: ImportOptions,
  modelsDir: string,
  store: StoreOptions,
): Promise<{ model: ModelEntry; path: string }> {
  const path = join(modelsDir, id)
  const entry = await makeOnnxEntry({ id, known, file: id, options, fallbackName: id }, onnx, folder)
  if (entry.kind !== 'speech' || !entry.sherpa) throw new Error('an entry for sherpa-onnx has its files')
  const model = { ...entry, sherpa: entry.sherpa, path: folder }
  await assertIntact(model)
  const { files, float32Files } = model.sherpa
  await copyFolder(folder, path, await listOnnxFiles(folder, model.sherpa), {
    ...store,
    check: (partial) => assertIntact({ ...model, path: partial }),
  })
  const measure = (roles: Record<string, ModelFile>) => measureFiles(roles, path, { modelsDir, signal: store.signal })
  const sherpa = { ...model.sherpa, files: await measure(files), float32Files: await measure(float32Files) }
  await saveLocalEntry(modelsDir, { ...entry, sherpa })
  return { model: { ...entry, sherpa }, path }
}

/** Checks both kinds of weights, regardless of this machine's processor. */
async function assertIntact(model: SherpaSpeechModel): Promise<void> {
  const { files, float32Files } = model.sherpa
  for (const [role, { name }] of [...Object.entries(files), ...Object.entries(float32Files)]) {
    const path = join(model.path, name)
    const problem = await findSherpaProblem(model, role, path)
    if (problem) throw new AppError('model_unavailable', `${path} cannot be imported: ${problem}.`)
  }
}
