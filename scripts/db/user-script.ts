interface DatabaseUser {
  /** The database that the user reads and writes. */
  dbName: string
  user: string
  /** Whether `user` is the subject of a client certificate. */
  isCertificate: boolean
}

/**
 * Returns the script for mongosh that creates a user with the rights that Awaz needs and no others: `readWrite` of one database, which includes
 * its collections and indexes. mongosh asks for the password, so that it is in no file and no history.
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

/** Returns a string of JavaScript. */
function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
