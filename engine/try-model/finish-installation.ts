import { findSpeechModel } from '#engine/models/catalog.ts'
import { describeForm } from '#engine/models/forms.ts'
import type { ModelEntry } from '#engine/models/model-entry.ts'
import type { FastForm } from '#engine/models/store/add-fast-form.ts'
import type { StoreConfig, StoreOptions } from '#engine/models/store/store-options.ts'
import { adoptModel } from './adopt-model.ts'

/** Puts a new model to use where nothing better is in use; returns a sentence each on what became of it and of its second form. */
export async function finishInstallation(
  { model, fastForm }: { model: ModelEntry; fastForm?: FastForm },
  config: StoreConfig,
  store: StoreOptions = {},
): Promise<string[]> {
  const use = await adoptModel(model, config, store)
  const form = fastForm && (await describeFastForm(fastForm, model, config))
  return [...(form === undefined ? [] : [form]), ...use]
}

async function describeFastForm(form: FastForm, { id }: ModelEntry, { modelsDir }: StoreConfig): Promise<string> {
  if ('problem' in form) {
    return `It was not written for onnxruntime too, where it may need less CPU time: ${form.problem}`
  }
  const choice = await describeForm(await findSpeechModel(id, modelsDir), modelsDir)
  const installed = `The same weights are installed for onnxruntime as ${form.model.id}.`
  return `${installed} ${choice ?? 'It takes no less CPU time here.'}`
}
