import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const example = join(dirname(dirname(import.meta.dirname)), 'docker', 'proxy', 'nginx-several.conf')

/** Adapts the documentation's example to these servers, without TLS. Throws if it no longer contains the parts to replace. */
export function adaptExample(text: string, servers: string[]): string {
  const listed = servers.map((server) => `  server ${server} max_fails=0;\n`).join('')
  const replacements: [RegExp, string][] = [
    [/( {2}server \S+ max_fails=0;\n)+/, listed],
    [/ {2}listen 443 ssl;\n/, '  listen 80;\n'],
    [/( {2}ssl_certificate\S* .*\n)+/, ''],
    [/( {4}proxy_pass http:\/\/awaz;\n)/, '$1    add_header X-Served-By $upstream_addr always;\n'],
  ]
  return replacements.reduce((config, [pattern, replacement]) => {
    if (!pattern.test(config)) throw new Error(`docker/proxy/nginx-several.conf has nothing like ${String(pattern)}`)
    return config.replace(pattern, replacement)
  }, text)
}

/** Writes a proxy configuration for these servers into a new folder, and returns its path. */
export async function writeProxyConfig(folder: string, { servers }: { servers: string[] }): Promise<string> {
  await mkdir(folder, { mode: 0o755 })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  )
  const site = adaptExample(await readFile(example, 'utf8'), servers)
  const lines = [
    'daemon off;',
    'master_process off;',
    `pid ${folder}/pid;`,
    'events {}',
    'http {',
    'access_log off;',
    ...temporary,
    site,
    '}',
  ]
  const path = join(folder, 'nginx.conf')
  await writeFile(path, lines.join('\n'))
  return path
}
