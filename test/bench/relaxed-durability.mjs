/** Imported before a server: its SQLite acknowledges writes that a power cut may take back (synchronous=NORMAL). */
import Database from 'better-sqlite3'

const { pragma } = Database.prototype
Database.prototype.pragma = function (text, options) {
  return pragma.call(this, text.replace(/^synchronous = full$/, 'synchronous = normal'), options)
}
