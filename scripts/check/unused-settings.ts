import { isSettingsFile, isTest, type SourceFile } from './source-files.ts'

const configFile = 'server/data/config.ts'

/** Returns the settings that config.ts does not read and the configuration values that no code reads: one line each. */
export function findUnusedSettings(files: SourceFile[]): string[] {
  const config = files.find(({ path }) => path === configFile)?.text ?? ''
  const settings = files.flatMap(({ path, text }) => (isSettingsFile(path) ? text : [])).join('\n')
  const code = files
    .filter(({ path }) => path !== configFile && !isSettingsFile(path) && !isTest(path) && isProduct(path))
    .map(({ text }) => text)
    .join('\n')
  const names = [...settings.matchAll(/^ {2}([A-Z][A-Z0-9_]+): \{/gm)].map(([, name = '']) => name)
  const unread = names.filter((name) => !isSettingRead(name, config, code))
  const values = [...(/^function toConfig[\s\S]*/m.exec(config)?.[0] ?? '').matchAll(/^ {4,6}([a-z]\w+): .*,$/gm)]
  const unused = values.map(([, value = '']) => value).filter((value) => !isValueRead(value, code))
  return [
    ...unread.map((name) => `the setting ${name} is read nowhere`),
    ...unused.map((value) => `the value ${value} of the configuration is used nowhere`),
  ]
}

/** Whether a file belongs to the product itself: a value that only a benchmark reads is not a setting. */
function isProduct(path: string): boolean {
  return /^(server|engine|scripts\/(admin|backup|cli|db|supervisor|start\.ts))/.test(path)
}

function isSettingRead(name: string, config: string, code: string): boolean {
  const kindless = name.replace(/^(SPEECH|TRANSLATION)_/, '_')
  return (
    new RegExp(`\\bvalues\\.${name}\\b`).test(config) ||
    config.includes(`values[\`\${kind}${kindless}\`]`) ||
    code.includes(`readSetting('${name}'`)
  )
}

/** A name of several words is unambiguous; one such as `port` counts only as a property of the configuration or destructured from it. */
function isValueRead(value: string, code: string): boolean {
  if (/[A-Z]/.test(value)) return new RegExp(`\\b${value}\\b`).test(code)
  return (
    new RegExp(`\\bconfig\\??\\.${value}\\b`).test(code) ||
    new RegExp(`\\{[^{}]*\\b${value}\\b[^{}]*\\}\\s*(:\\s*(Config|Pick<Config)|=\\s*config\\b)`).test(code)
  )
}
