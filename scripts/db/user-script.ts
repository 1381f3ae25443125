interface DatabaseUser {
  /** The database that the user reads and writes. */
  dbName: string
  user: string
  /** Whether `user` is the subject of a client certificate. */
  isCertificate: boolean
}

/**
 * Returns a mongosh script that creates a user with only the rights that Awaz needs: `readWrite` on one database, which covers its
 * collections and indexes. mongosh asks for the password, so that it is not stored in a file or the shell history.
 */
export function userScript({ dbName, user, isCertificate }: DatabaseUser): string {
  const roles = `roles: [{ role: 'readWrite', db: ${quote(dbName)} }]`
  const home = isCertificate ? '$external' : dbName
  const password = isCertificate ? '' : ' pwd: passwordPrompt(),'
  const query = isCertificate
    ? 'authMechanism=MONGODB-X509&authSource=$external&tls=true&tlsCAFile=/etc/awaz/ca.pem&tlsCertificateKeyFile=/etc/awaz/client.pem'
    : `authSource=${encodeURIComponent(dbName)}`
  const login = isCertificate ? '' : `${encodeURIComponent(user)}:PASSWORD@`
  const uri = `mongodb://${login}HOST:27017/${encodeURIComponent(dbName)}?${query}`
  return `// Paste this into mongosh, signed in as an administrator of MongoDB.
db.getSiblingDB(${quote(home)}).createUser({ user: ${quote(user)},${password} ${roles} })
// Then, with the hosts of your MongoDB:
// MONGODB_URI='${uri.replaceAll("'", '%27')}'`
}

/** Returns a JavaScript string literal. */
function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
