import { constants } from 'node:os'
import { join } from 'node:path'
import { getHeapSpaceStatistics } from 'node:v8'
import { listEndpoints } from '#contract/api.ts'
import { jobKinds, jobStates } from '#contract/entities/job.ts'
import { errorStatus } from '#contract/errors.ts'
import { transcriptionLanguages, translationLanguages } from '#contract/languages.ts'
import { settings } from '#data/settings.ts'
import { bundledModelsDir } from '#engine/models/catalog.ts'
import { readCatalogFile } from '#engine/models/read-catalog-file.ts'

/** The product's own words. None comes from the data, settings or host of an instance. */

export const errorCodes = Object.keys(errorStatus)
export const settingNames = Object.keys(settings)
export const languageCodes = [...new Set([...transcriptionLanguages, ...Object.keys(translationLanguages)])]
export const jobKindNames: readonly string[] = jobKinds
/** EACCES and the like, and the codes that TLS adds. */
export const systemErrors = [
  ...Object.keys(constants.errno),
  'ENOTFOUND',
  'EAI_AGAIN',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]

const parts = ['checks', 'work', 'host', 'data', 'backup', 'static', 'unknown', 'HEAD', 'OPTIONS']
const checks = [
  'database',
  'data_folder',
  'audio_store',
  'mail',
  'models',
  'engine',
  'speech_servers',
  'translation_servers',
]
const states = ['able', 'unable', 'speech', 'translation', 'certain', 'uncertain', 'translated', 'not_translated']
/** Node's words: kinds of garbage collection, and the resources that keep a process alive. */
const nodeWords = [
  'major',
  'minor',
  'incremental',
  'weakcb',
  'TCPSocketWrap',
  'TCPServerWrap',
  'PipeWrap',
  'Timeout',
  'Socket',
  'Server',
]

/** Values of metric labels, besides ids of models. */
export const labelWords = [
  ...jobKinds,
  ...jobStates,
  ...errorCodes,
  ...languageCodes,
  ...listEndpoints().flatMap(({ spec }) => [spec.method, spec.path]),
  ...parts,
  ...checks,
  ...states,
  ...nodeWords,
  // prom-client names them without the ending.
  ...getHeapSpaceStatistics().map(({ space_name }) => space_name.replace(/_space$/, '')),
]

/** Returns the ids of the models that Awaz itself knows; the id of an imported model was chosen by a user. */
export async function readCatalogIds(): Promise<string[]> {
  return (await readCatalogFile(join(bundledModelsDir, 'catalog.json'))).models.map(({ id }) => id)
}
