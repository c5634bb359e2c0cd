// What a validator is given, and how it answers. `judge(resource)` returns what is wrong, as texts; an empty list is
// approval. Usage of a script that calls `run`: node SCRIPT DOCKET
import fs from 'node:fs';

export function run(judge) {
  const docket = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
  const guarded = (resource) => {
    try {
      return judge(resource);
    } catch (error) {
      return [`it stumbles: ${error.message}`];
    }
  };
  const found = docket.lines.flatMap(([place, resource]) => guarded(resource).map((what) => `${place}: ${what}`));
  const refused = docket.broken.filter(([, resource]) => guarded(resource).length).map(([name]) => name);
  console.log(JSON.stringify({ found: found.slice(0, 20), count: found.length, refused }));
}
