// The driver for PostgreSQL, as far as `src/hosting/postgres.js` uses it. An application installs it, and this package does not.
declare module "pg" {
  const driver: { Pool: new (options: object) => import("../src/hosting/postgres.js").Pool };
  export default driver;
}
