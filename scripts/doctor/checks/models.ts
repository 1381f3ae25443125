import { stat } from 'node:fs/promises'
import { AppError } from '#contract/app-error.ts'
import { ifExists } from '#data/if-exists.ts'
import { checkModels, type CheckedModels } from '#engine/jobs/check-models.ts'
import { loadCatalog, modelPath, readCatalog } from '#engine/models/catalog.ts'
import { verifyModel } from '#engine/models/verify.ts'
import type { Check, HostContext } from '../context.ts'
import { findingsOf, type Finding } from '../finding.ts'

const findings = {
  'models.unusable': {
    severity: 'problem',
    title: 'A model in use is not installed, damaged, or does not know its languages',
    why: 'Its languages cannot be transcribed or translated.',
    remedy:
      'npm run awaz -- models list names what is wrong; models pull or models import brings it in again (docs/models.md).',
    command: 'npm run awaz -- models list',
  },
  'models.damaged': {
    severity: 'warning',
    title: 'An installed model that is not in use is damaged',
    why: 'It fails once somebody chooses it.',
    remedy: 'npm run awaz -- models remove ID, then models pull or models import brings it in again.',
    command: 'npm run awaz -- models remove ID',
  },
  'models.catalog': {
    severity: 'warning',
    title: 'An entry of a catalogue of models is not valid',
    why: 'Its model is left out, or a part of its entry is.',
    remedy: 'Correct MODELS_DIR/catalog.local.json, or import the model again.',
  },
  'models.demo': {
    severity: 'note',
    title: 'A demo model is in use',
    why: 'It shows that everything works, and is no use for real recordings.',
    remedy: 'npm run awaz -- models list, then models pull ID and models use ID (docs/models.md).',
    command: 'npm run awaz -- models list',
  },
} as const

const finding = findingsOf(findings)

/** Checks that the models in use are installed, intact by their hashes, and suited to their languages. With --all, also the unused ones. */
export const modelsCheck: Check = { name: 'models', findings, run }

async function run({ config, isThorough, signal }: HostContext): Promise<Finding[]> {
  const { problems } = await loadCatalog(config.modelsDir)
  const found = problems.map(({ message }) => finding('models.catalog', message))
  const used = listUsed(await checkModels(config))
  const unusable = used.flatMap(({ error }) => error ?? [])
  for (const message of new Set(unusable.map(({ message }) => message))) {
    const help = unusable.find((error) => error.message === message)?.help
    found.push(finding('models.unusable', message, help === undefined ? {} : { remedy: help }))
  }
  const demos = used.flatMap(({ model }) => (model?.isDemo === true ? model.name : []))
  for (const name of new Set(demos)) found.push(finding('models.demo', `${name} is in use.`))
  const idsInUse = new Set(used.flatMap(({ model }) => model?.id ?? []))
  return isThorough ? [...found, ...(await checkOthers(config.modelsDir, { idsInUse, signal }))] : found
}

/** Reads every file of the models that are installed but not in use. */
async function checkOthers(
  modelsDir: string,
  { idsInUse, signal }: { idsInUse: Set<string>; signal: AbortSignal },
): Promise<Finding[]> {
  const found: Finding[] = []
  for (const entry of await readCatalog(modelsDir)) {
    const path = modelPath(entry, modelsDir)
    if (path === undefined || idsInUse.has(entry.id) || !(await ifExists(() => stat(path)))) continue
    try {
      await verifyModel({ ...entry, path }, { signal })
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof AppError)) throw error
      found.push(finding('models.damaged', error.message))
    }
  }
  return found
}

function listUsed({ speech, speechByLanguage, translation, translationByPair }: CheckedModels) {
  return [speech, translation, ...Object.values(speechByLanguage), ...Object.values(translationByPair)]
}
