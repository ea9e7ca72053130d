/** Fills a new database for the peers: `node seed.js FILE PETS`. */

import { newOrder, orderIds, peerCredentials, storedOrder, storedPet } from '../data/pets';
import { digest, openDatabase, schema } from './database';

const inTenYears = Date.now() + 10 * 365 * 24 * 60 * 60 * 1000;

const seed = (path: string, pets: number): void => {
  const db = openDatabase(path);
  db.exec(schema);
  db.prepare('INSERT INTO api_keys VALUES (?)').run(digest(peerCredentials.apiKey));
  const addToken = db.prepare('INSERT INTO tokens VALUES (?, ?, ?, ?)');
  addToken.run(digest(peerCredentials.petsToken), 'bench', 'write:pets read:pets', inTenYears);
  addToken.run(digest(peerCredentials.adsToken), 'bench', 'write:ads read:ads', inTenYears);
  const addPet = db.prepare('INSERT INTO pets VALUES (?, ?, ?)');
  const addTag = db.prepare('INSERT INTO pet_tags VALUES (?, ?)');
  const addOrder = db.prepare('INSERT INTO orders VALUES (?, ?)');
  db.transaction(() => {
    for (let number = 1; number <= pets; number += 1) {
      const { id, ...pet } = storedPet(number, pets);
      addPet.run(id, pet.status, JSON.stringify(pet));
      for (const { name } of pet.tags) addTag.run(name, id);
    }
    for (const number of orderIds) {
      addOrder.run(storedOrder(number).id, JSON.stringify(newOrder(number)));
    }
  })();
  db.exec('ANALYZE');
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
};

seed(process.argv[2] ?? '', Number(process.argv[3]));
