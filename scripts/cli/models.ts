import { parseArgs } from 'node:util'
import { AppError } from '#contract/app-error.ts'
import { type Config, readConfig } from '#data/config.ts'
import { makeModelsFolder } from '#data/models-folder.ts'
import { exportModel } from '#engine/models/store/export-model.ts'
import { importModel } from '#engine/models/store/import-model.ts'
import { pullModel } from '#engine/models/store/pull-model.ts'
import { removeModel } from '#engine/models/store/remove-model.ts'
import { clearChoice } from '#engine/models/store/use-model.ts'
import { finishInstallation } from '#engine/try-model/finish-installation.ts'
import { describeForms, tryForms } from '#engine/try-model/try-forms.ts'
import { useTriedModel } from '#engine/try-model/use-tried-model.ts'
import type { StoreOptions, StoreProgress } from '#engine/models/store/store-options.ts'
import { list } from './models-list.ts'
import { recommend } from './models-recommend.ts'
import { withCommandName } from './command-name.ts'
import { withProgress } from './interruptible.ts'

const stages: Record<StoreProgress['stage'], string> = {
  download: 'Downloading (MB)',
  copy: 'Copying (MB)',
  unpack: 'Unpacking (MB)',
  convert: 'Converting (MB)',
  check: 'Checking (MB)',
}

/** Runs a command on models with a progress bar, until it ends or Ctrl-C cancels it. */
async function withStoreProgress<Value>(work: (options: StoreOptions) => Promise<Value>): Promise<Value> {
  return withProgress(({ progress, signal }) => {
    let stage: StoreProgress['stage'] | undefined
    return work({
      signal,
      onProgress(now) {
        if (now.stage !== stage) progress.begin(stages[now.stage])
        stage = now.stage
        if (now.total) progress.update(megabytes(now.done), megabytes(now.total))
      },
    })
  })
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1e6)
}

const usage = `Usage: npm run awaz -- models COMMAND

  list [ID]                          every known model: whether it is installed, its uses, its facts, why it cannot be used
  recommend                          which speech model suits each language on this machine, and what each takes
  pull ID                            download a model of the catalogue; an interrupted download is resumed
  import PATH [options]              import a file, a folder or an archive, whose kind is detected from its content
      --id ID                        its id; by default derived from the file's name
      --name NAME                    its display name
      --languages ps,fa              its languages; by default those that the file supports
      --licence NAME
      --quantize                     quantize converted Whisper weights to 8 bits: about half the size
  verify ID                          verify its files, load it, run it on a sample, print speed, memory and device,
                                     and those of other formats of its weights, of which the cheapest is used
  use ID [--language fa | --pair fa-en]
                                     use it for a language, a pair, or everything without a model of its own, once it
                                     has worked on a sample
  use default --language fa | --pair fa-en
                                     clear that choice
  remove ID                          delete its files and its own entry; refused while it is in use
  export ID FOLDER                   export it to FOLDER/ID for a USB stick, with SHA256SUMS that import checks

Models are in MODELS_DIR. Running engines apply every change without a restart. See docs/models.md.`

interface Given {
  config: Config
  positionals: string[]
  values: ReturnType<typeof parse>['values']
}

const commands: Record<string, { positionals: number[]; run: (given: Given) => Promise<void> }> = {
  list: { positionals: [0, 1], run: ({ config, positionals: [id] }) => list(config, id) },
  recommend: { positionals: [0], run: ({ config }) => recommend(config) },
  pull: { positionals: [1], run: pull },
  import: { positionals: [1], run: importPath },
  verify: { positionals: [1], run: verify },
  use: { positionals: [1], run: use },
  remove: { positionals: [1], run: remove },
  export: { positionals: [2], run: exportTo },
}

/** `awaz models COMMAND`. */
export async function run(args: string[]): Promise<number> {
  const [name = '', ...rest] = args
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command || rest.includes('--help')) {
    console.log(withCommandName(usage))
    return args.length === 0 || args.includes('--help') ? 0 : 1
  }
  const { positionals, values } = parse(rest)
  if (!command.positionals.includes(positionals.length)) {
    console.error(`models ${name} was given ${positionals.length} names.\n\n${usage}`)
    return 1
  }
  const config = readConfig(process.env)
  await makeModelsFolder(config.modelsDir)
  await command.run({ config, positionals, values })
  return 0
}

function parse(args: string[]) {
  return parseArgs({
    args,
    allowPositionals: true,
    options: {
      id: { type: 'string' },
      name: { type: 'string' },
      languages: { type: 'string' },
      licence: { type: 'string' },
      quantize: { type: 'boolean' },
      language: { type: 'string' },
      pair: { type: 'string' },
    },
  })
}

async function pull({ config, positionals: [id = ''] }: Given): Promise<void> {
  const { path, isNew, ...pulled } = await withStoreProgress((options) => pullModel(id, config, options))
  const { name } = pulled.model
  console.log(isNew ? `${name} is installed: ${path}` : `${name} is already installed and intact: ${path}`)
  await finish(pulled, config)
}

async function importPath({ config, positionals: [path = ''], values }: Given): Promise<void> {
  const { id, name, licence, quantize } = values
  const languages = values.languages?.split(',').map((code) => code.trim())
  const options = { id, name, licence, quantize, languages }
  const imported = await withStoreProgress((store) => importModel(path, options, config, store))
  const { model, path: placed } = imported
  const knows = `It is a ${model.kind} model for ${model.languages.join(', ')}`
  console.log(`${model.name} is installed as "${model.id}": ${placed}\n${knows}; licence: ${model.licence}.`)
  await finish(imported, config)
}

/** Finishes the installation of a model, and prints the outcome and the next steps. */
async function finish(installed: Parameters<typeof finishInstallation>[0], config: Config): Promise<void> {
  const lines = await withStoreProgress((store) => finishInstallation(installed, config, store))
  const { id } = installed.model
  const next = [`Try it: npm run awaz -- models verify ${id}`, `Use it: npm run awaz -- models use ${id}`]
  console.log(withCommandName([...lines, ...next].join('\n')))
}

async function verify({ config, positionals: [id = ''] }: Given): Promise<void> {
  const trials = await withStoreProgress((options) => tryForms(id, config, options))
  console.log([`${trials.chosen.model.name} works:`, ...describeForms(trials)].join('\n  '))
}

async function use({ config, positionals: [id = ''], values: { language, pair } }: Given): Promise<void> {
  if (id === 'default' && (language ?? pair) !== undefined) {
    await clearChoice({ language, pair }, config)
    console.log(`${language ?? pair} has no model of its own any more.`)
    return
  }
  const model = await withStoreProgress((options) => useTriedModel(id, { language, pair }, config, options))
  console.log(`${model.name} is used for ${language ?? pair ?? 'everything without a model of its own'} from now on.`)
}

async function remove({ config, positionals: [id = ''] }: Given): Promise<void> {
  const { model, isFileKept } = await removeModel(id, config)
  console.log(
    `${model.name} is removed.${isFileKept ? ' Its file stays: another entry of the catalogue has the same.' : ''}`,
  )
}

async function exportTo({ config, positionals: [id = '', folder = ''] }: Given): Promise<void> {
  if (folder === '') throw new AppError('invalid_input', 'Name the folder to export into.')
  const target = await withStoreProgress((options) => exportModel(id, folder, config, options))
  console.log(`${target} holds the model. On the other machine: npm run awaz -- models import ${target}`)
}
