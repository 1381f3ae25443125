import { screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { Response } from '#contract/endpoint.ts'
import type { models } from '#contract/endpoints/models.ts'
import type { Model } from '#contract/entities/model.ts'
import type { ModelOperation } from '#contract/entities/model-operation.ts'
import type { User } from '#contract/entities/user.ts'
import { failure, fakeServer, someUser } from '../../../testing/fake-server.ts'
import { makeModel } from '../../../testing/models.ts'
import { renderAt } from '../../../testing/render.tsx'
import { ModelsPage } from './models-page.tsx'

const superAdmin: User = { ...someUser, role: 'super_admin' }
const listKey = 'GET /api/admin/models'
const operationsKey = 'GET /api/admin/models/operations'
const importsKey = 'GET /api/admin/models/imports'
const startKey = 'POST /api/admin/models/operations'

const demo = makeModel({
  id: 'demo-speech',
  name: 'Demo voices',
  is_demo: true,
  uses: [{ scope: 'default', code: null, chosen_by: 'nobody' }],
})
const small = makeModel({
  uses: [{ scope: 'language', code: 'fa', chosen_by: 'person' }],
  form: 'Where it is chosen, Whisper small, ONNX runs: 0.051 instead of 0.129 CPU s a second of sound.',
  errors: [{ language: 'fa', metric: 'wer', percent: 29.4, corpus: 'FLEURS' }],
  trial: {
    engine: 'whisper.cpp',
    tried_at: '2026-01-02T03:04:05.000Z',
    real_time_factor: 0.5,
    peak_memory_bytes: null,
  },
})

const noImports: Response<typeof models.imports> = {
  folder: '/srv/models/import',
  imports: [],
  free_bytes: 40 * 1024 ** 3,
  problem: null,
}

function makeOperation(overrides: Partial<ModelOperation> = {}): ModelOperation {
  return {
    id: 'a'.repeat(24),
    kind: 'verify',
    state: 'running',
    model_id: small.id,
    import_name: null,
    language: null,
    pair: null,
    progress: null,
    outcome: null,
    error: null,
    requested_by: superAdmin.email,
    created_at: '2026-01-02T03:04:05.000Z',
    started_at: null,
    finished_at: null,
    ...overrides,
  }
}

interface ServerState {
  models?: Model[] | null
  operations?: ModelOperation[]
  imports?: Response<typeof models.imports>
  handlers?: Parameters<typeof fakeServer>[0]
}

function show({ models = [demo, small], operations = [], imports = noImports, handlers = {} }: ServerState = {}) {
  const calls = fakeServer({
    [listKey]: () => ({ body: { models, problems: [], engines: models ? 1 : 0 } }),
    [operationsKey]: () => ({ body: { operations } }),
    [importsKey]: () => ({ body: imports }),
    [startKey]: () => ({ status: 202, body: { operation: makeOperation({ state: 'queued' }) } }),
    ...handlers,
  })
  return { ...renderAt('/admin/system/models', <ModelsPage />, superAdmin), calls }
}

async function findCard(name: string) {
  const title = await screen.findByRole('heading', { name, level: 3 })
  return within(title.closest('li') as HTMLElement)
}

it('shows what each model serves, whether it works and its facts', async () => {
  show()
  const card = await findCard('Whisper small')
  expect(card.getByText('Works')).toBeVisible()
  expect(within(card.getByRole('list', { name: 'What Whisper small serves' })).getByText('Persian')).toBeVisible()
  expect(card.getByText(/^Where it is chosen, Whisper small, ONNX runs/)).toBeVisible()
  expect(card.getByText('Persian: 29.4% of words wrong (FLEURS)')).toBeVisible()
  expect(card.getByText(/2x real time/)).toBeVisible()
  expect(card.getByText('MIT')).toBeVisible()
  const other = await findCard('Demo voices')
  expect(other.getByText('All other languages')).toBeVisible()
  expect(other.getByText('Demonstration')).toBeVisible()
  expect(other.queryByRole('button', { name: 'Remove Demo voices' })).not.toBeInTheDocument()
  expect(await screen.findByText(/^It is empty\./)).toBeVisible()
})

it('shows unknown facts as not known', async () => {
  show({ models: [makeModel({ size_bytes: null, licence: null })] })
  const card = await findCard('Whisper small')
  expect(card.getByText('Serves nothing now')).toBeVisible()
  expect(card.getByText('Not tried yet')).toBeVisible()
  expect(card.getAllByText('not known')).toHaveLength(3)
  expect(card.getByText('not measured')).toBeVisible()
})

it('shows the problem of a model and what to do', async () => {
  show({ models: [{ ...small, problem: { message: 'The file is cut.', help: 'Copy it again.' } }] })
  const card = await findCard('Whisper small')
  expect(card.getByRole('alert')).toHaveTextContent('The file is cut.Copy it again.')
  expect(card.getByText('Problem')).toBeVisible()
  expect(card.getByRole('button', { name: 'Use Whisper small' })).toBeDisabled()
})

it('marks choices that the environment sets', async () => {
  show({ models: [{ ...small, uses: [{ scope: 'language', code: 'ur', chosen_by: 'environment' }] }] })
  expect((await findCard('Whisper small')).getByText('Urdu')).toHaveTextContent('Urdu · set by the environment')
})

it('uses a model for one language', async () => {
  const { user, calls } = show()
  await user.click((await findCard('Whisper small')).getByRole('button', { name: 'Use Whisper small' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Use Whisper small' }))
  await user.click(dialog.getByRole('combobox', { name: 'Language' }))
  await user.click(await screen.findByRole('option', { name: 'Urdu' }))
  await user.click(dialog.getByRole('button', { name: 'Use it' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(calls.find(({ key }) => key === startKey)?.body).toEqual({ kind: 'use', model_id: small.id, language: 'ur' })
})

it('uses a translator for a pair, or for all', async () => {
  const gemma = makeModel({ id: 'gemma', name: 'Gemma', kind: 'translation', languages: ['ps', 'fa', 'en'] })
  const { user, calls } = show({ models: [gemma] })
  await user.click(await screen.findByRole('button', { name: 'Use Gemma' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Use Gemma' }))
  await user.click(dialog.getByRole('combobox', { name: 'To' }))
  await user.click(await screen.findByRole('option', { name: 'English' }))
  await user.click(dialog.getByRole('button', { name: 'Use it' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  await user.click(screen.getByRole('button', { name: 'Use Gemma' }))
  const again = within(await screen.findByRole('dialog', { name: 'Use Gemma' }))
  await user.click(again.getByRole('radio', { name: 'every pair that no other model is chosen for' }))
  await user.click(again.getByRole('button', { name: 'Use it' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(calls.filter(({ key }) => key === startKey).map(({ body }) => body)).toEqual([
    { kind: 'use', model_id: 'gemma', pair: 'ps-en' },
    { kind: 'use', model_id: 'gemma' },
  ])
})

it('asks for confirmation before a model is removed, and refuses one that is in use', async () => {
  const spare = makeModel({ id: 'spare', name: 'Spare' })
  const { user, calls } = show({ models: [small, spare] })
  await user.click(await screen.findByRole('button', { name: 'Remove Whisper small' }))
  const refused = within(await screen.findByRole('dialog', { name: 'Remove Whisper small?' }))
  expect(refused.getByText(/serves Persian\. Choose another model for that first\./)).toBeVisible()
  expect(refused.getByRole('button', { name: 'Remove' })).toBeDisabled()
  await user.click(refused.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  await user.click(screen.getByRole('button', { name: 'Remove Spare' }))
  const asked = within(await screen.findByRole('dialog', { name: 'Remove Spare?' }))
  await user.click(asked.getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(calls.find(({ key }) => key === startKey)?.body).toEqual({ kind: 'remove', model_id: 'spare' })
})

it('shows the progress of an operation and cancels it', async () => {
  const absent = makeModel({ id: 'large', name: 'Whisper large', is_installed: false })
  const progress = { stage: 'Downloading', done: 1024 ** 3, total: 4 * 1024 ** 3, is_bytes: true }
  const cancelKey = `DELETE /api/admin/models/operations/${'a'.repeat(24)}`
  const operation = makeOperation({ kind: 'pull', model_id: 'large', progress })
  const { user, calls } = show({
    models: [demo, absent],
    operations: [operation],
    handlers: { [cancelKey]: () => ({ body: { operation: { ...operation, state: 'cancelled' } } }) },
  })
  const section = within(
    (await screen.findByRole('heading', { name: 'Not installed' })).closest('section') as HTMLElement,
  )
  expect(await section.findByText('Downloading, 1.0 GB of 4.0 GB')).toBeVisible()
  expect(section.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25')
  await user.click(section.getByRole('button', { name: 'Cancel: Download of Whisper large' }))
  await waitFor(() => expect(calls.map(({ key }) => key)).toContain(cancelKey))
})

it('shows how operations ended', async () => {
  const outcome = { message: 'Whisper small works.', details: ['real-time factor 0.4'], model_id: small.id }
  const error = { error: 'The file is empty.', code: 'model_unavailable' as const, help: 'Copy it again.' }
  show({
    operations: [
      makeOperation({ state: 'done', outcome }),
      makeOperation({
        id: 'b'.repeat(24),
        kind: 'import',
        model_id: null,
        import_name: 'base',
        state: 'failed',
        error,
      }),
    ],
  })
  expect(await screen.findByText('Whisper small works.')).toBeVisible()
  expect(screen.getByText('real-time factor 0.4')).toBeVisible()
  expect(screen.getByText('Import of base')).toBeVisible()
  expect(screen.getByText('The file is empty. Copy it again.')).toBeVisible()
})

it('shows why a model cannot be downloaded', async () => {
  show({
    models: [
      demo,
      makeModel({ id: 'large', name: 'Large', is_installed: false, pull_problem: 'This installation is offline.' }),
    ],
  })
  const button = await screen.findByRole('button', { name: 'Download Large' })
  expect(button).toBeDisabled()
  expect(button).toHaveAccessibleDescription('This installation is offline.')
})

it('imports an entry of the import folder with the facts that its files do not contain', async () => {
  const entry = {
    name: 'whisper-base-ct2',
    is_folder: true,
    files: 4,
    size_bytes: 150_000_000,
    is_uploaded: false,
    changed_at: '2026-01-02T03:04:05.000Z',
  }
  const { user, calls } = show({ imports: { ...noImports, imports: [entry] } })
  await user.click(await screen.findByRole('button', { name: 'Import whisper-base-ct2' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add a model' }))
  await user.clear(dialog.getByLabelText('Name'))
  await user.type(dialog.getByLabelText('Name'), 'Base')
  await user.click(dialog.getByRole('switch', { name: /^Store with 8 bits/ }))
  await user.click(dialog.getByRole('button', { name: 'Import' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(calls.find(({ key }) => key === startKey)?.body).toEqual({
    kind: 'import',
    import_name: 'whisper-base-ct2',
    name: 'Base',
    quantize: true,
  })
})

it('shows why nothing can be uploaded', async () => {
  show({ imports: { ...noImports, problem: 'Nothing can be written to /srv/models/import: the disk is read-only.' } })
  expect(await screen.findByText(/the disk is read-only/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Choose files' })).not.toBeInTheDocument()
})

it('shows the error of a refused operation', async () => {
  const { user } = show({ handlers: { [startKey]: () => failure(409, 'Something else is being done with it.') } })
  await user.click(await screen.findByRole('button', { name: 'Try Whisper small' }))
  expect(await screen.findByText('Something else is being done with it.')).toBeVisible()
})

it('shows that no engine is running', async () => {
  show({ models: null })
  expect(await screen.findByRole('heading', { name: 'No engine is running' })).toBeVisible()
  expect(screen.getByText(/The log of the engine says why it does not start/)).toBeVisible()
})

it('updates itself by polling', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  let models = [demo]
  show({ handlers: { [listKey]: () => ({ body: { models, problems: [], engines: 1 } }) } })
  await findCard('Demo voices')
  models = [demo, small]
  await vi.advanceTimersByTimeAsync(4_000)
  expect(await screen.findByRole('heading', { name: 'Whisper small', level: 3 })).toBeVisible()
  vi.useRealTimers()
})

it('offers to try again after an error', async () => {
  let isBroken = true
  const { user } = show({
    handlers: { [listKey]: () => (isBroken ? failure(500) : { body: { models: [demo], problems: [], engines: 1 } }) },
  })
  const retry = await screen.findByRole('button', { name: 'Try again' })
  isBroken = false
  await user.click(retry)
  expect(await screen.findByRole('heading', { name: 'Demo voices', level: 3 })).toBeVisible()
})

it('denies access to admins', () => {
  fakeServer({})
  renderAt('/admin/system/models', <ModelsPage />, { ...someUser, role: 'admin' })
  expect(screen.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
})
