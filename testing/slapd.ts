import { spawn, type ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'ldapts'
import { createCertificate } from './certificate.ts'

const program = '/usr/sbin/slapd'
const schemas = '/etc/ldap/schema'
const modules = '/usr/lib/ldap'
export const baseDn = 'dc=example,dc=org'
/** The account that the product searches with. */
export const serviceAccount = { dn: `cn=service,${baseDn}`, password: 'Service-secret1' }
const administrator = { dn: `cn=root,${baseDn}`, password: 'Root-secret1' }

interface PersonOptions {
  password?: string
  email?: string
  firstName?: string
  lastName?: string
  /** Active Directory's response to a correct password, such as `data 533`; needs `isOpen`. */
  bindFailure?: string
}

export interface TestDirectory {
  /** ldap://127.0.0.1:port; offers StartTLS unless it was started without TLS. */
  url: string
  /** ldaps://127.0.0.1:port */
  secureUrl: string
  /** The certificate of the directory, which names only 127.0.0.1. */
  ca: string
  /** Returns the distinguished name. Default password: Harvest-moon7; e-mail: the name at example.org. */
  addPerson(uid: string, options?: PersonOptions): Promise<string>
  /** Returns the distinguished name. */
  addGroup(name: string, members: string[]): Promise<string>
  /** Changes the directory as its administrator. */
  change(work: (client: Client) => Promise<void>): Promise<void>
  /** Lines of slapd's statistics: connections, operations, results. They arrive slightly later than the responses. */
  log: string[]
  /** Makes a connection and resolves when every connection is closed and its lines are in the log. */
  settle(): Promise<void>
  /** Keeps connections open and answers nothing until `resume`. */
  pause(): void
  resume(): void
  stop(): Promise<void>
}

interface DirectoryOptions {
  /** Whether anybody may search without signing in. Default false. */
  isOpen?: boolean
  /** Default true. */
  hasTls?: boolean
}

/** Starts a real directory with the base entry, `ou=people`, `ou=groups` and the service account, in its own folder. */
export async function startDirectory({ isOpen = false, hasTls = true }: DirectoryOptions = {}): Promise<TestDirectory> {
  const folder = await mkdtemp(join(tmpdir(), 'awaz-slapd-'))
  await mkdir(join(folder, 'db'))
  const { certificate } = await createCertificate(folder, 'IP:127.0.0.1')
  await writeFile(join(folder, 'slapd.conf'), configuration(folder, { isOpen, hasTls }))
  const [port, securePort] = [await findFreePort(), await findFreePort()]
  const url = `ldap://127.0.0.1:${port}`
  const secureUrl = `ldaps://127.0.0.1:${securePort}`
  // 256: the statistics; any level keeps slapd in the foreground.
  const args = ['-f', join(folder, 'slapd.conf'), '-h', hasTls ? `${url} ${secureUrl}` : url, '-d', '256']
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const log: string[] = []
  let markers = 0

  function killWithProcess() {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', killWithProcess)

  async function stop() {
    process.off('exit', killWithProcess)
    await kill(child)
    await rm(folder, { recursive: true, force: true })
  }

  async function change(work: (client: Client) => Promise<void>) {
    const client = new Client({ url, timeout: 10_000, connectTimeout: 10_000 })
    try {
      await client.bind(administrator.dn, administrator.password)
      await work(client)
    } finally {
      await client.unbind()
    }
  }

  async function addPerson(uid: string, options: PersonOptions = {}): Promise<string> {
    const dn = `uid=${escapeValue(uid)},ou=people,${baseDn}`
    const { bindFailure } = options
    const entry = {
      objectClass: ['inetOrgPerson', ...(bindFailure ? ['errAuxObject'] : [])],
      uid,
      cn: uid,
      givenName: options.firstName ?? 'Test',
      sn: options.lastName ?? 'Person',
      mail: options.email ?? `${uid}@example.org`,
      userPassword: options.password ?? 'Harvest-moon7',
      ...(bindFailure && { errCode: '49', errOp: 'bind', errText: bindFailure }),
    }
    await change((client) => client.add(dn, entry))
    return dn
  }

  async function addGroup(name: string, members: string[]): Promise<string> {
    const dn = `cn=${escapeValue(name)},ou=groups,${baseDn}`
    await change((client) => client.add(dn, { objectClass: 'groupOfNames', cn: name, member: members }))
    return dn
  }

  /** Searches for something unique: the log is in order, so once this search appears, all earlier lines are there. */
  async function settle() {
    markers += 1
    const marker = `cn=marker-${markers}`
    await change(async (client) => void (await client.search(baseDn, { filter: `(${marker})` })))
    await waitUntilClosed(log, marker)
  }

  try {
    await waitUntilStarted(child, port, log)
    await change(addBase)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url,
    secureUrl,
    ca: certificate,
    addPerson,
    addGroup,
    change,
    log,
    settle,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    stop,
  }
}

async function addBase(client: Client): Promise<void> {
  await client.add(baseDn, { objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' })
  for (const ou of ['people', 'groups'])
    await client.add(`ou=${ou},${baseDn}`, { objectClass: 'organizationalUnit', ou })
  await client.add(serviceAccount.dn, {
    objectClass: ['organizationalRole', 'simpleSecurityObject'],
    cn: 'service',
    userPassword: serviceAccount.password,
  })
}

/** memberOf lists a person's groups, as in Active Directory; retcode returns the Active Directory errors that slapd itself lacks. */
function configuration(folder: string, { isOpen, hasTls }: Required<DirectoryOptions>): string {
  return [
    ...['core', 'cosine', 'inetorgperson'].map((name) => `include ${schemas}/${name}.schema`),
    `modulepath ${modules}`,
    ...['back_mdb', 'memberof', 'retcode'].map((name) => `moduleload ${name}`),
    ...(hasTls ? [`TLSCertificateFile ${folder}/certificate.pem`, `TLSCertificateKeyFile ${folder}/key.pem`] : []),
    'database mdb',
    `suffix ${baseDn}`,
    `rootdn ${administrator.dn}`,
    `rootpw ${administrator.password}`,
    `directory ${folder}/db`,
    'overlay memberof',
    // slapd reads entries with their own result codes as the connected user, which is anonymous before a sign-in.
    ...(isOpen ? ['overlay retcode', `retcode-parent "ou=unused,${baseDn}"`, 'retcode-indir'] : []),
    'access to attrs=userPassword by anonymous auth by * none',
    `access to * by ${isOpen ? '*' : 'users'} read by * none`,
    '',
  ].join('\n')
}

function escapeValue(value: string): string {
  return value.replace(/[",+;<>\\#= ]/g, (sign) => `\\${sign}`)
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

/** Resolves when slapd accepts connections, which is later than it reports. */
async function waitUntilStarted(child: ChildProcess, port: number, log: string[]): Promise<void> {
  if (child.stderr) createInterface({ input: child.stderr }).on('line', (line) => log.push(line))
  child.once('error', (error) => log.push(error.message))
  while (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
    if (await isListening(port)) return
    await setTimeout(10)
  }
  throw new Error(`slapd did not start: ${log.join('\n')}`)
}

function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  }).finally(() => socket.destroy())
}

async function waitUntilClosed(log: string[], marker: string): Promise<void> {
  const count = (words: string) => log.filter((line) => line.includes(words)).length
  for (let tries = 0; tries < 1000; tries += 1) {
    if (count(marker) > 0 && count(' ACCEPT ') === count(' closed')) return
    await setTimeout(5)
  }
  throw new Error(`A connection stays open: ${log.slice(-20).join('\n')}`)
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exited
}
