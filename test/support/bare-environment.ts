/** What every process needs of the environment of the tests: where programs are, and what an earlier one compiled. */
export const bareEnvironment = () => ({
  PATH: process.env['PATH'],
  ...(process.env['NODE_COMPILE_CACHE'] ? { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] } : {}),
});
