import { scalarText } from '../../catalog-files/formatting/scalar-text.ts'

/** The catalog directory of a project that init writes. */
export const catalogName = 'catalog'

/** The project file, which says where the catalog is and which environments there are; never a credential. */
export const projectText = ({ staging, production }: { staging: string; production: string }): string =>
  `# What licet needs to know of this project. Committed; credentials never belong here, but in "licet env add" or in
# LICET_CLIENT_ID and LICET_CLIENT_SECRET.
catalog: ${catalogName}

# The environment that commands work with when none is named.
environment: staging

# Each is a tenant: its base URL ends in /t/NAME. With tenantId (licet env check says it) a command stops before the
# first write when another tenant answers; what is protected asks for --confirm NAME.
environments:
  staging:
    url: ${scalarText(staging)}
  production:
    url: ${scalarText(production)}
    protected: true
`

/** What git is to leave out of the repository. */
export const ignoredFiles = `node_modules/
# Plans are made anew for each release.
plan.json
# A server's database and the key that seals its secrets, when one is run here.
*.db
*.db-shm
*.db-wal
*.db.key
`
