import { describe, expect, test } from 'vitest'
import { complaints, id, many, textOf } from '../testing/inputs.ts'
import { models } from './models.ts'

const moment = '2026-01-02T03:04:05.000Z'
const letters = 'A name is made of letters, digits, dots, dashes and underscores'

describe('an operation on models', () => {
  const { body, response } = models.start

  test.each([
    { kind: 'pull', model_id: 'whisper-base.q8_0' },
    { kind: 'verify', model_id: 'base' },
    { kind: 'remove', model_id: 'base' },
    { kind: 'use', model_id: 'base' },
    { kind: 'use', model_id: 'base', language: 'ps' },
    { kind: 'use', model_id: 'base', pair: 'ps-eng' },
    { kind: 'clear', model_id: 'base', language: 'pus' },
    { kind: 'clear', model_id: 'base', pair: 'ps-en' },
    {
      kind: 'import',
      import_name: textOf(100),
      name: textOf(100),
      languages: many(200, 'ps'),
      licence: textOf(200),
      quantize: true,
    },
  ])('is $kind: %j', (request) => {
    expect(body.parse(request)).toEqual(request)
  })

  test('imports weights as they are unless asked otherwise', () => {
    expect(body.parse({ kind: 'import', import_name: 'a', name: ' Base ' })).toEqual({
      kind: 'import',
      import_name: 'a',
      name: 'Base',
      quantize: false,
    })
  })

  test.each([
    [{ kind: 'pull', model_id: '../base' }, 'Not a valid model id'],
    [{ kind: 'use', model_id: 'a', language: 'p' }, 'Not a valid language code'],
    [{ kind: 'use', model_id: 'a', pair: 'ps' }, 'A pair is written like ps-en'],
    [{ kind: 'use', model_id: 'a', language: 'ps', pair: 'ps-en' }, 'Choose a language or a pair, not both'],
    [{ kind: 'clear', model_id: 'a' }, 'Name a language or a pair'],
    [{ kind: 'clear', model_id: 'a', language: 'ps', pair: 'ps-en' }, 'Name a language or a pair'],
    [{ kind: 'import', import_name: textOf(101) }, 'A name has at most 100 characters'],
    [{ kind: 'import', import_name: '../a' }, letters],
    [{ kind: 'import', import_name: '.a' }, letters],
    [{ kind: 'import', import_name: 'a', name: ' ' }, 'Name is too short'],
    [{ kind: 'import', import_name: 'a', name: textOf(101) }, 'Name is too long'],
    [{ kind: 'import', import_name: 'a', licence: textOf(201) }, 'Licence is too long'],
    [{ kind: 'import', import_name: 'a', languages: many(201, 'ps') }, 'Languages is too long'],
    [{ kind: 'convert' }, 'Kind is not valid'],
  ])('is refused: %#', (request, sentence) => {
    expect(complaints(body, request)).toEqual([sentence])
  })

  test.each(['queued', 'running', 'done', 'failed', 'cancelled'])('says how far it is: %s', (state) => {
    const operation = {
      id,
      kind: 'import',
      state,
      model_id: null,
      import_name: 'base',
      language: null,
      pair: null,
      progress: { stage: 'Copying', done: 0, total: null, is_bytes: true },
      outcome: { message: 'Imported', details: ['3 files'], model_id: 'base' },
      error: { error: 'The disk is full', code: 'disk_full', help: 'Delete something' },
      requested_by: 'Root',
      created_at: moment,
      started_at: null,
      finished_at: null,
    }
    expect(response.parse({ operation })).toEqual({ operation })
    expect(models.cancel.response.parse({ operation })).toEqual({ operation })
    expect(models.operations.response.parse({ operations: [operation] })).toEqual({ operations: [operation] })
  })
})

describe('an upload of a model', () => {
  const { body, response } = models.beginUpload
  const file = { path: 'a/b/c/model.bin', size_bytes: 1 }
  const path = 'A file name is made of letters, digits, dots, dashes and underscores, at most three folders deep'

  test.each([
    [{ files: [file] }, []],
    [{ files: many(200, file) }, []],
    [{ files: [] }, ['There is no file']],
    [{ files: many(201, file) }, ['Files is too long']],
    [{ files: [{ ...file, size_bytes: 0 }] }, ['The file is empty']],
    [{ files: [{ ...file, path: 'a/b/c/d/model.bin' }] }, [path]],
    [{ files: [{ ...file, path: 'a/../model.bin' }] }, [path]],
    [{ files: [{ ...file, path: '/model.bin' }] }, [path]],
    [{ files: [{ ...file, path: `${textOf(100)}/${textOf(100)}/${textOf(98)}` }] }, []],
    [{ files: [{ ...file, path: `${textOf(100)}/${textOf(100)}/${textOf(99)}` }] }, ['Path is too long']],
    [{ name: 'a b', files: [file] }, [letters]],
  ])('names its files: %#', (upload, sentences) => {
    expect(complaints(body, { name: 'base', ...upload })).toEqual(sentences)
  })

  test('goes on by file and position', () => {
    expect(response.parse({ upload_id: id, part_bytes: 1 })).toEqual({ upload_id: id, part_bytes: 1 })
    const { query } = models.sendPart
    expect(query.parse({ file: '199', offset: '0' })).toEqual({ file: 199, offset: 0 })
    expect(complaints(query, { file: '-1', offset: '-1' })).toEqual(['File is too small', 'Offset is too small'])
    expect(complaints(query, { file: '200', offset: '0.5' })).toEqual(['File is too large', 'Offset is not valid'])
    expect(models.sendPart.response.parse({ received_bytes: 0 })).toEqual({ received_bytes: 0 })
  })

  test('is found in the folder of imports', () => {
    const imported = {
      name: 'base',
      is_folder: true,
      files: 2,
      size_bytes: 9,
      is_uploaded: true,
      changed_at: moment,
    }
    const folder = { folder: '/models/import', imports: [imported], free_bytes: 0, problem: null }
    expect(models.imports.response.parse(folder)).toEqual(folder)
    expect(models.finishUpload.response.parse({ import: imported })).toEqual({ import: imported })
    expect(complaints(models.removeImport.params, { name: 'a/b' })).toEqual([letters])
  })
})

test('a model says what it is, what it is used for and how well it does', () => {
  const model = {
    id: 'base',
    name: 'Whisper base',
    kind: 'speech',
    engine: 'whisper.cpp',
    languages: ['ps'],
    is_demo: false,
    is_installed: true,
    problem: { message: 'A file is missing', help: null },
    uses: [
      { scope: 'default', code: null, chosen_by: 'nobody' },
      { scope: 'language', code: 'ps', chosen_by: 'person' },
      { scope: 'pair', code: 'ps-en', chosen_by: 'environment' },
    ],
    content_hash: null,
    size_bytes: 1,
    approximate_size: null,
    memory_bytes: null,
    licence: 'MIT',
    url: null,
    note: null,
    form: 'Where it is chosen, another runs.',
    work: { cpu_s_per_s: 0.1, is_measured: false, keeps_up: true, has_memory: null },
    errors: [{ language: 'ps', metric: 'wer', percent: 12, corpus: 'FLEURS' }],
    evaluations: ['wer', 'cer', 'chrf'].map((metric) => {
      return { sample: 's', language: 'ps', metric, value: 1, low: null, high: 2, measured_at: moment }
    }),
    trial: { engine: 'a', tried_at: moment, real_time_factor: null, peak_memory_bytes: 1 },
    pull_problem: null,
  }
  const list = { models: [model, { ...model, kind: 'translation' }], problems: ['An entry is not valid'], engines: 1 }
  expect(models.list.response.parse(list)).toEqual(list)
  expect(models.list.response.parse({ ...list, models: null })).toMatchObject({ models: null })
})
