import { z } from 'zod'
import { transcriptionLanguages } from '#contract/languages.ts'
import { ConfigError, readSetting } from '#data/config.ts'
import { settings, type SettingName } from '#data/settings.ts'
import { anyOf, fields, flag, number, oneOf, type Shape } from '../allow-list.ts'
import { objectFile, type SupportFile } from '../archive.ts'
import { settingNames } from '../vocabulary.ts'

/** Replace a text that is the product's own default, and one that the schema rejects. */
const ownTexts = ['default', 'invalid']
/** Settings that name a model, which may be in the catalogue. */
const modelSettings = ['SPEECH_MODEL', 'TRANSLATION_MODEL']

/** Returns each setting's origin, and its value if that is a number, yes or no, one of a few words, or a model in the catalogue. */
export function describeSettings(env: NodeJS.ProcessEnv, catalogIds: readonly string[]): SupportFile {
  const byLanguage = transcriptionLanguages.map((code) => `SPEECH_MODEL_${code.toUpperCase()}`)
  const shapes = [
    ...settingNames.map((name) => [name, shapeOf(name as SettingName, catalogIds)] as const), // keys of `settings`
    ...byLanguage.map((name) => [name, valueOf(oneOf(catalogIds))] as const),
  ]
  const values = [
    ...settingNames.map((name) => [name, describe(name as SettingName, env)] as const),
    ...byLanguage.map((name) => [name, { from: originOf(name, env), value: env[name] || null }] as const),
  ]
  const about =
    'every setting, where it is given, and its value where that is a number, yes or no, or one of a few words'
  return objectFile('settings', about, Object.fromEntries(shapes), Object.fromEntries(values))
}

function describe(name: SettingName, env: NodeJS.ProcessEnv): { from: string; value: unknown } {
  const from = originOf(name, env)
  try {
    const value = readSetting(name, env)
    // Some defaults are texts, including addresses.
    const isOwnText = from === 'default' && (typeof value === 'string' || Array.isArray(value))
    return { from, value: isOwnText ? 'default' : (value ?? null) }
  } catch (error) {
    if (error instanceof ConfigError) return { from, value: 'invalid' }
    throw error
  }
}

function originOf(name: string, env: NodeJS.ProcessEnv): string {
  if (env[`${name}_FILE`]) return 'file'
  return env[name] ? 'environment' : 'default'
}

function shapeOf(name: SettingName, catalogIds: readonly string[]): Shape {
  const words = modelSettings.includes(name) ? catalogIds : optionsOf(settings[name].schema)
  return valueOf(oneOf([...words, ...ownTexts]))
}

function valueOf(words: Shape): Shape {
  return fields({ from: oneOf(['default', 'environment', 'file']), value: anyOf([number, flag, words], 'set') })
}

/** Returns the words that a schema allows; none if it accepts other texts. */
function optionsOf(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodEnum) return schema.options.map(String)
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) return optionsOf(schema.unwrap() as z.ZodType) // of zod's own core type
  return []
}
