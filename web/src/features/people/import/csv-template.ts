/** A file to fill in: the header that the import reads, and rows that show what may be left out. */
export const csvTemplate = [
  'email,first_name,last_name,role',
  'zarghuna@example.org,Zarghuna,Ana,user',
  'leila@example.org,Leila,Ahmadi,admin',
  'no-name@example.org,,,',
  '',
].join('\r\n')
