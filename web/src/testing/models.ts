import type { Model } from '#contract/entities/model.ts'

/** Returns an installed speech model that is not in use, as the server returns it. */
export function makeModel(overrides: Partial<Model> = {}): Model {
  return {
    id: 'whisper-small',
    name: 'Whisper small',
    kind: 'speech',
    engine: 'whisper.cpp',
    languages: ['ps', 'en', 'ur', 'fa', 'ar'],
    is_demo: false,
    is_installed: true,
    problem: null,
    uses: [],
    content_hash: null,
    size_bytes: 487_601_967,
    approximate_size: null,
    memory_bytes: null,
    licence: 'MIT',
    url: null,
    note: null,
    form: null,
    work: null,
    errors: [],
    evaluations: [],
    trial: null,
    pull_problem: null,
    ...overrides,
  }
}
