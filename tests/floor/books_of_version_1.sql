BEGIN TRANSACTION;
CREATE TABLE balances (
	account TEXT NOT NULL, 
	debits INTEGER NOT NULL, 
	credits INTEGER NOT NULL, 
	PRIMARY KEY (account)
)
 WITHOUT ROWID,
 STRICT

;
INSERT INTO "balances" VALUES('chip-tray:prime-1',110000,280000);
INSERT INTO "balances" VALUES('display:final-four/main',6000,50022000);
INSERT INTO "balances" VALUES('gross-receipts:prime-1',57500,117500);
INSERT INTO "balances" VALUES('house-cash:house',7500,50027500);
INSERT INTO "balances" VALUES('prizes:prime-1',250000,0);
INSERT INTO "balances" VALUES('reserve:final-four/main',1500,5500);
INSERT INTO "balances" VALUES('seed-owed:final-four/main',50000000,0);
INSERT INTO "balances" VALUES('undeposited:final-four',50027500,7500);
CREATE TABLE commands (
	id TEXT NOT NULL, 
	body BLOB NOT NULL, 
	answer TEXT NOT NULL, 
	events INTEGER NOT NULL, 
	seal BLOB NOT NULL, 
	PRIMARY KEY (id)
)
 WITHOUT ROWID,
 STRICT

;
INSERT INTO "commands" VALUES('b',X'34041DE04A858F71FC814605B72D7CD9D0F2F820AF4FDAF1513BAA16AD9C2783','{"broken":"the button sticks","counters":[6,0],"jackpots":["final-four"],"table":"prime-1","unit":"unit-1"}',1,X'8F902B271EE027690B62F264B4704D3299FED02CDB79CEA8F623C0A3030F3A68');
INSERT INTO "commands" VALUES('c',X'8F386164A898C7CCB2EADB75D933711FB58059088DF75E5EFFB1BFCB55B280AA','{"broken":null,"counters":[6,0],"jackpots":["final-four"],"table":"prime-1","unit":"unit-1"}',1,X'748470E4F3388595ACEECC42E11B574BA21992A72FAEDDD89B7731E445047167');
INSERT INTO "commands" VALUES('hand-1',X'DF310F45DD8D64397A62663C4F9A6B2E74D8AF5ADFC084AA81F74D068B6BDC8E','{"counters":[6,0],"counts":{"all-seven":0,"final-four":1},"lammers":[],"lights":[],"meters":{"final-four":[500140]},"round":"by hand","stay":[[5,1]],"table":"prime-1"}',2,X'27084A95B59F43876E6D68EC461FB1C6D77C520476CC32F7DFBAA7B828773D42');
INSERT INTO "commands" VALUES('hand-2',X'7ABA2EF0D7C8EDD2A6D55B09DB50632D73E9DDAE4A05D6BDBB5C55AD0E59DACB','{"counters":[6,0],"counts":{"all-seven":0,"final-four":1},"lammers":[],"lights":[],"meters":{"final-four":[500160]},"round":"two\nlines","stay":[[5,1]],"table":"prime-1"}',2,X'C398BF6CD8A3232779C207C18749A2DB0168F750E86C49CE2CC4301FDDE7D25E');
INSERT INTO "commands" VALUES('hand-3',X'B757759DF1A99C6928511B64E172A7B9EA68A59A533CFACA4D8E990A24670362','{"counters":[6,0],"counts":{"all-seven":0,"final-four":1},"lammers":[],"lights":[],"meters":{"final-four":[500180]},"round":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx","stay":[[5,1]],"table":"prime-1"}',2,X'D8C5F9AD6EA83E8BF637EC9CA4F31D3A9C261E170ECDEE333FC4E80C647DCD27');
INSERT INTO "commands" VALUES('open-jackpot',X'7DB07E64B397E87E12D9D7FDE665092483AC66F77B69ED0F7C21439BF796E176','{"claims":[],"escrow":0,"jackpot":"final-four","meters":[{"display":50000000,"level":"main","overflow":0,"pending":0,"reserve":0,"seed_owed":50000000,"shown":500000}],"owed":50000000,"short":0,"tables":[],"unavailable":null,"undeposited":50000000,"waiting":[]}',1,X'E689636AD08273728FE5FB811F7D7A88347CC4A3064C20BC3A84C6028B6A2F99');
INSERT INTO "commands" VALUES('open-table',X'F5FF10469C355CD459663B97698CE01E7CE9B6B90A80880D56C76AB307E732AC','{"broken":null,"counters":[0,0],"jackpots":["final-four"],"table":"prime-1","unit":"unit-1"}',2,X'3C5E8275DF070E0A9263DF55EE0A4C6D9D1B4659ED60C8CAE2C9461161E4630B');
INSERT INTO "commands" VALUES('press-1',X'5C7632544707A338AC86DEDA061726546C3A5539190C3E48ADFC6C3F56D1893B','{"counters":[2,0],"counts":{"all-seven":0,"final-four":2},"lammers":[],"lights":[[1,1],[2,1]],"meters":{"final-four":[500040]},"round":"r1","stay":[],"table":"prime-1"}',2,X'910D4294721D6C39D022D406F9558598405C3D3F9ABC43904B526F048A9E4A05');
INSERT INTO "commands" VALUES('press-2',X'A849819CDE878C5E60235AF5E50B17236B3FD1A3BE38DAF7B5B869C4C7B7F9BB','{"counters":[5,0],"counts":{"all-seven":0,"final-four":3},"lammers":[],"lights":[[1,1],[2,1],[3,1]],"meters":{"final-four":[500100]},"round":"r2","stay":[],"table":"prime-1"}',2,X'43A227CC7C138324D6E69D2E1C6D2BA4FC69B8BBD4B691EEA7145F8F6CD0EDC8');
INSERT INTO "commands" VALUES('press-3',X'B82A29ED55E374268672B3A755C9227065F46A07F17AC05E374056EDA8C7FB28','{"counters":[6,0],"counts":{"all-seven":0,"final-four":1},"lammers":[],"lights":[[4,1]],"meters":{"final-four":[500120]},"round":"r1","stay":[],"table":"prime-1"}',2,X'17B53E2A6CD648DBB0565F5A9F0288A0ABDB23C428F3FC639A6E88287A8C2466');
INSERT INTO "commands" VALUES('press-4',X'56349DE478366F46402958B9F1E449AF19F6A2B5C6816A9A4E16E776C6BF2E4C','{"counters":[8,0],"counts":{"all-seven":0,"final-four":2},"lammers":[],"lights":[[1,1],[6,1]],"meters":{"final-four":[500160]},"round":"r3","stay":[],"table":"prime-1"}',2,X'621065D0759F434C2975E68C7F4F9F1328D40B09CC36B6A1E05AE7BAD9C02672');
INSERT INTO "commands" VALUES('trips',X'A32E194AC466FE6DE1A6F655AA2E9A6E40ED96AE0D18725D374FDA44ECB7239F','{"claim":"trips","order":null,"paid":[{"cards":["7c","7d","7h"],"cents":2500,"event":"three-of-a-kind","level":null,"pays":"$25","seat":1,"share":null,"stake":"final-four","words":"three of a kind, sevens"}],"pending":[],"standing":{"claims":[],"escrow":0,"jackpot":"final-four","meters":[{"display":50016000,"level":"main","overflow":0,"pending":0,"reserve":4000,"seed_owed":50000000,"shown":500160}],"owed":50020000,"short":0,"tables":["prime-1"],"unavailable":null,"undeposited":50020000,"waiting":[]}}',1,X'C61A61072E8C1346E83CEAACE2216EF83724611B3E47250889AB0A1599B09E2F');
INSERT INTO "commands" VALUES('void',X'CBF20A79E2F5AB4D2B9108F9DBF01AB581C337B2C8AE0C3B597C60128C201A67','{"counters":[6,0],"counts":{"all-seven":0,"final-four":-3},"lammers":[],"lights":[],"meters":{"final-four":[500120]},"round":"r2","stay":[[5,1]],"table":"prime-1"}',2,X'6316775788C52EEF0DF76651DD15438B8D1D5A12AFC615A9B7E67C792511540D');
CREATE TABLE entries (
	chain TEXT NOT NULL, 
	sequence INTEGER NOT NULL, 
	line INTEGER NOT NULL, 
	debit TEXT NOT NULL, 
	credit TEXT NOT NULL, 
	amount INTEGER NOT NULL, 
	PRIMARY KEY (chain, sequence, line), 
	FOREIGN KEY(chain, sequence) REFERENCES events (chain, sequence)
)
 WITHOUT ROWID,
 STRICT

;
INSERT INTO "entries" VALUES('jackpot:final-four',1,1,'seed-owed:final-four/main','display:final-four/main',50000000);
INSERT INTO "entries" VALUES('jackpot:final-four',1,2,'undeposited:final-four','house-cash:house',50000000);
INSERT INTO "entries" VALUES('jackpot:final-four',3,1,'gross-receipts:prime-1','display:final-four/main',4000);
INSERT INTO "entries" VALUES('jackpot:final-four',3,2,'gross-receipts:prime-1','reserve:final-four/main',1000);
INSERT INTO "entries" VALUES('jackpot:final-four',3,3,'undeposited:final-four','house-cash:house',5000);
INSERT INTO "entries" VALUES('jackpot:final-four',4,1,'gross-receipts:prime-1','display:final-four/main',6000);
INSERT INTO "entries" VALUES('jackpot:final-four',4,2,'gross-receipts:prime-1','reserve:final-four/main',1500);
INSERT INTO "entries" VALUES('jackpot:final-four',4,3,'undeposited:final-four','house-cash:house',7500);
INSERT INTO "entries" VALUES('jackpot:final-four',5,1,'gross-receipts:prime-1','display:final-four/main',2000);
INSERT INTO "entries" VALUES('jackpot:final-four',5,2,'gross-receipts:prime-1','reserve:final-four/main',500);
INSERT INTO "entries" VALUES('jackpot:final-four',5,3,'undeposited:final-four','house-cash:house',2500);
INSERT INTO "entries" VALUES('jackpot:final-four',6,1,'gross-receipts:prime-1','display:final-four/main',2000);
INSERT INTO "entries" VALUES('jackpot:final-four',6,2,'gross-receipts:prime-1','reserve:final-four/main',500);
INSERT INTO "entries" VALUES('jackpot:final-four',6,3,'undeposited:final-four','house-cash:house',2500);
INSERT INTO "entries" VALUES('jackpot:final-four',7,1,'gross-receipts:prime-1','display:final-four/main',2000);
INSERT INTO "entries" VALUES('jackpot:final-four',7,2,'gross-receipts:prime-1','reserve:final-four/main',500);
INSERT INTO "entries" VALUES('jackpot:final-four',7,3,'undeposited:final-four','house-cash:house',2500);
INSERT INTO "entries" VALUES('jackpot:final-four',8,1,'gross-receipts:prime-1','display:final-four/main',2000);
INSERT INTO "entries" VALUES('jackpot:final-four',8,2,'gross-receipts:prime-1','reserve:final-four/main',500);
INSERT INTO "entries" VALUES('jackpot:final-four',8,3,'undeposited:final-four','house-cash:house',2500);
INSERT INTO "entries" VALUES('jackpot:final-four',9,1,'display:final-four/main','gross-receipts:prime-1',6000);
INSERT INTO "entries" VALUES('jackpot:final-four',9,2,'reserve:final-four/main','gross-receipts:prime-1',1500);
INSERT INTO "entries" VALUES('jackpot:final-four',9,3,'house-cash:house','undeposited:final-four',7500);
INSERT INTO "entries" VALUES('jackpot:final-four',10,1,'gross-receipts:prime-1','display:final-four/main',4000);
INSERT INTO "entries" VALUES('jackpot:final-four',10,2,'gross-receipts:prime-1','reserve:final-four/main',1000);
INSERT INTO "entries" VALUES('jackpot:final-four',10,3,'undeposited:final-four','house-cash:house',5000);
INSERT INTO "entries" VALUES('jackpot:final-four',11,1,'prizes:prime-1','chip-tray:prime-1',250000);
INSERT INTO "entries" VALUES('table:prime-1',2,1,'chip-tray:prime-1','gross-receipts:prime-1',20000);
INSERT INTO "entries" VALUES('table:prime-1',3,1,'chip-tray:prime-1','gross-receipts:prime-1',30000);
INSERT INTO "entries" VALUES('table:prime-1',4,1,'chip-tray:prime-1','gross-receipts:prime-1',10000);
INSERT INTO "entries" VALUES('table:prime-1',6,1,'chip-tray:prime-1','gross-receipts:prime-1',10000);
INSERT INTO "entries" VALUES('table:prime-1',7,1,'chip-tray:prime-1','gross-receipts:prime-1',10000);
INSERT INTO "entries" VALUES('table:prime-1',8,1,'chip-tray:prime-1','gross-receipts:prime-1',10000);
INSERT INTO "entries" VALUES('table:prime-1',10,1,'gross-receipts:prime-1','chip-tray:prime-1',30000);
INSERT INTO "entries" VALUES('table:prime-1',11,1,'chip-tray:prime-1','gross-receipts:prime-1',20000);
CREATE TABLE events (
	chain TEXT NOT NULL, 
	sequence INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	time INTEGER NOT NULL, 
	payload TEXT NOT NULL, 
	seal BLOB NOT NULL, 
	previous BLOB NOT NULL, 
	hash BLOB NOT NULL, 
	PRIMARY KEY (chain, sequence)
)
 WITHOUT ROWID,
 STRICT

;
INSERT INTO "events" VALUES('jackpot:final-four',1,'open-jackpot/1','jackpot-opened',1,1777660000000000,'{"jackpot":"final-four","seeds":{"main":50000000},"setup":{"id":"final-four","jurisdiction":"washington","kind":"progressive","levels":[{"contribution":"1/5","minimum":"$0","name":"main","pays":["four-card-diamond-royal","four-card-royal"],"reserve":"1/20","seed":"$5,000"}],"location":"Lakewood","name":"Final Four Progressive","offers":[{"bonuses":{},"game":"three-card-prime","paytable":"F4P-1","wager":"final-four"}],"wagers":["$1"]},"who":"Olga"}',X'E689636AD08273728FE5FB811F7D7A88347CC4A3064C20BC3A84C6028B6A2F99',X'0000000000000000000000000000000000000000000000000000000000000000',X'F27E13E18A7E32B659317B49BA73E754C2DE79040AEDD827183BAC8385A7755D');
INSERT INTO "events" VALUES('jackpot:final-four',2,'open-table/1','table-joined',1,1777660001000000,'{"jackpot":"final-four","table":"prime-1","who":"Olga"}',X'3C5E8275DF070E0A9263DF55EE0A4C6D9D1B4659ED60C8CAE2C9461161E4630B',X'F27E13E18A7E32B659317B49BA73E754C2DE79040AEDD827183BAC8385A7755D',X'57EAC6ADE59C5980C01E94426B3E5286686279B2E0895CEF0C36BC66A29EB558');
INSERT INTO "events" VALUES('jackpot:final-four',3,'press-1/2','wagers-counted',1,1777660002000000,'{"amount":20000,"collected":20000,"count":2,"jackpot":"final-four","levels":{"main":[50000000,4000,1000,0,0,0]},"round":"r1","table":"prime-1","wagers":[[100,2]]}',X'910D4294721D6C39D022D406F9558598405C3D3F9ABC43904B526F048A9E4A05',X'57EAC6ADE59C5980C01E94426B3E5286686279B2E0895CEF0C36BC66A29EB558',X'545C078EA6B46C5E45282DCD450381464424139F1E45D7D661C2E67F59575384');
INSERT INTO "events" VALUES('jackpot:final-four',4,'press-2/2','wagers-counted',1,1777660003000000,'{"amount":30000,"collected":30000,"count":3,"jackpot":"final-four","levels":{"main":[50004000,6000,1500,0,0,0]},"round":"r2","table":"prime-1","wagers":[[100,3]]}',X'43A227CC7C138324D6E69D2E1C6D2BA4FC69B8BBD4B691EEA7145F8F6CD0EDC8',X'545C078EA6B46C5E45282DCD450381464424139F1E45D7D661C2E67F59575384',X'FE00441086A424AE8BCA261AD1756A39CEF864084599A4BDE94D331DAF234BB6');
INSERT INTO "events" VALUES('jackpot:final-four',5,'press-3/2','wagers-counted',1,1777660004000000,'{"amount":10000,"collected":10000,"count":1,"jackpot":"final-four","levels":{"main":[50010000,2000,500,0,0,0]},"round":"r1","table":"prime-1","wagers":[[100,1]]}',X'17B53E2A6CD648DBB0565F5A9F0288A0ABDB23C428F3FC639A6E88287A8C2466',X'FE00441086A424AE8BCA261AD1756A39CEF864084599A4BDE94D331DAF234BB6',X'A82A3BABCB97B8ED0F22DBF8C282494D1CBE645D8BC670CA79F89214E71D960C');
INSERT INTO "events" VALUES('jackpot:final-four',6,'hand-1/2','wagers-counted',1,1777660006000000,'{"amount":10000,"collected":10000,"count":1,"jackpot":"final-four","levels":{"main":[50012000,2000,500,0,0,0]},"round":"by hand","table":"prime-1","wagers":[[100,1]]}',X'27084A95B59F43876E6D68EC461FB1C6D77C520476CC32F7DFBAA7B828773D42',X'A82A3BABCB97B8ED0F22DBF8C282494D1CBE645D8BC670CA79F89214E71D960C',X'0C23281F3325A76E858656B53263B80A31122AA0C119B30595DE819B0618E5DD');
INSERT INTO "events" VALUES('jackpot:final-four',7,'hand-2/2','wagers-counted',1,1777660007000000,'{"amount":10000,"collected":10000,"count":1,"jackpot":"final-four","levels":{"main":[50014000,2000,500,0,0,0]},"round":"two\nlines","table":"prime-1","wagers":[[100,1]]}',X'C398BF6CD8A3232779C207C18749A2DB0168F750E86C49CE2CC4301FDDE7D25E',X'0C23281F3325A76E858656B53263B80A31122AA0C119B30595DE819B0618E5DD',X'609B6794AC9178ACB07EE3A8C3BA637EB6A7804E2AD46B36A5B3F53443639AC0');
INSERT INTO "events" VALUES('jackpot:final-four',8,'hand-3/2','wagers-counted',1,1777660008000000,'{"amount":10000,"collected":10000,"count":1,"jackpot":"final-four","levels":{"main":[50016000,2000,500,0,0,0]},"round":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx","table":"prime-1","wagers":[[100,1]]}',X'D8C5F9AD6EA83E8BF637EC9CA4F31D3A9C261E170ECDEE333FC4E80C647DCD27',X'609B6794AC9178ACB07EE3A8C3BA637EB6A7804E2AD46B36A5B3F53443639AC0',X'5C5193FC0D62977A19459E77CFC7DA5A8030EA2FA6DA81E3D094D0EAEE03B0EB');
INSERT INTO "events" VALUES('jackpot:final-four',9,'void/2','wagers-taken-back',1,1777660010000000,'{"amount":30000,"count":3,"escrow":0,"jackpot":"final-four","levels":{"main":[50018000,6000,1500,0]},"reason":"correction of a malfunction","round":"r2","table":"prime-1","undeposited":7500,"who":"Sam","why":"the shuffler jammed"}',X'6316775788C52EEF0DF76651DD15438B8D1D5A12AFC615A9B7E67C792511540D',X'5C5193FC0D62977A19459E77CFC7DA5A8030EA2FA6DA81E3D094D0EAEE03B0EB',X'0441BE7FCC347B0AE8E76D7936E892E59C8C6655CF2DD481ECD68B3772243BC2');
INSERT INTO "events" VALUES('jackpot:final-four',10,'press-4/2','wagers-counted',1,1777660011000000,'{"amount":20000,"collected":20000,"count":2,"jackpot":"final-four","levels":{"main":[50012000,4000,1000,0,0,0]},"round":"r3","table":"prime-1","wagers":[[100,2]]}',X'621065D0759F434C2975E68C7F4F9F1328D40B09CC36B6A1E05AE7BAD9C02672',X'0441BE7FCC347B0AE8E76D7936E892E59C8C6655CF2DD481ECD68B3772243BC2',X'7E6F03DB940FFA4A7E668F89F5CC696CCD68C4F85BB960791FEBFEE8D5C7A8A3');
INSERT INTO "events" VALUES('jackpot:final-four',11,'trips/1','prizes-paid',1,1777660012000000,'{"cents":2500,"counted":11,"dealer":"Kim","game":"three-card-prime","jackpot":"final-four","layout":["ante-play","prime","pair-bonus","all-six","final-four","all-seven"],"prizes":[{"cards":["7c","7d","7h"],"cents":2500,"event":"three-of-a-kind","level":null,"pays":"$25","seat":1,"share":null,"stake":"final-four","words":"three of a kind, sevens"}],"record":{"cards":{"burn":["2c"],"dealer":["2d","2h","2s"],"seat 1 fourth":["Ac"],"seat 1 hand":["7c","7d","7h"]},"decisions":[{"answer":"fold","question":"play","seat":1}],"steps":["tabulate","reveal"],"table":{"game":"three-card-prime","jurisdiction":"washington","seats":6,"wagers":{"all-seven":{"limits":{"max":"$1","min":"$1","step":"$1"},"paytable":"A7P-1"},"all-six":{"limits":{"max":"$5","min":"$1","step":"$1"},"paytable":"A6-1"},"ante-play":{"limits":{"max":"$200","min":"$10","step":"$10"},"paytable":"PW/BB 1"},"final-four":{"limits":{"max":"$1","min":"$1","step":"$1"},"paytable":"F4P-1"},"pair-bonus":{"limits":{"max":"$100","min":"$1","step":"$1"},"paytable":"PB 1+PB/LD 1"},"prime":{"limits":{"max":"$100","min":"$1","step":"$1"},"paytable":"PRW-1"}}},"wagers":{"1":{"ante-play":1000,"final-four":100}}},"round":"r3","table":"prime-1"}',X'C61A61072E8C1346E83CEAACE2216EF83724611B3E47250889AB0A1599B09E2F',X'7E6F03DB940FFA4A7E668F89F5CC696CCD68C4F85BB960791FEBFEE8D5C7A8A3',X'3CE9DB2D1B00610239A60BE07517A53B64ABE7103AB62FC46E73972D473C298C');
INSERT INTO "events" VALUES('table:prime-1',1,'open-table/2','table-set-up',1,1777660001000000,'{"layout":["ante-play","prime","pair-bonus","all-six","final-four","all-seven"],"sensors":{"game":"three-card-prime","location":"Lakewood","positions":6,"sensors":[{"amount":"$1","jackpot":"final-four","kind":"progressive","paytable":"F4P-1","wager":"final-four"},{"amount":"$1","paytable":"A7P-1","wager":"all-seven"}],"table":"prime-1","tabulator":"andromeda-3d"},"setup":{"game":"three-card-prime","jurisdiction":"washington","seats":6,"wagers":{"all-seven":{"limits":{"max":"$1","min":"$1","step":"$1"},"paytable":"A7P-1"},"all-six":{"limits":{"max":"$5","min":"$1","step":"$1"},"paytable":"A6-1"},"ante-play":{"limits":{"max":"$200","min":"$10","step":"$10"},"paytable":"PW/BB 1"},"final-four":{"limits":{"max":"$1","min":"$1","step":"$1"},"paytable":"F4P-1"},"pair-bonus":{"limits":{"max":"$100","min":"$1","step":"$1"},"paytable":"PB 1+PB/LD 1"},"prime":{"limits":{"max":"$100","min":"$1","step":"$1"},"paytable":"PRW-1"}}},"table":"prime-1","tabulator":{"counters":[0,0],"table":{"game":"three-card-prime","location":"Lakewood","positions":6,"table":"prime-1","tabulator":"andromeda-3d","wagers":[{"amount":100,"jackpot":"final-four","kind":"progressive","lammer_amount":null,"lammer_sensor":null,"removed":true,"sensor":1,"wager":"final-four"},{"amount":100,"jackpot":null,"kind":null,"lammer_amount":null,"lammer_sensor":null,"removed":true,"sensor":2,"wager":"all-seven"}]},"unit":"unit-1"},"who":"Olga"}',X'3C5E8275DF070E0A9263DF55EE0A4C6D9D1B4659ED60C8CAE2C9461161E4630B',X'0000000000000000000000000000000000000000000000000000000000000000',X'20ADCFFDD8A23E23629710C547220FC5F53EEC33861C0CCD1729A1ABFB909ED1');
INSERT INTO "events" VALUES('table:prime-1',2,'press-1/1','round-tabulated',1,1777660002000000,'{"dealer":"Kim","round":"r1","table":"prime-1","wagers":[{"collected":true,"count":2,"counter":2,"jackpot":"final-four","lammers":[],"positions":[1,2],"stakes":[[10000,2]],"wager":"final-four"},{"collected":true,"count":0,"counter":0,"jackpot":null,"lammers":[],"positions":[],"stakes":[],"wager":"all-seven"}]}',X'910D4294721D6C39D022D406F9558598405C3D3F9ABC43904B526F048A9E4A05',X'20ADCFFDD8A23E23629710C547220FC5F53EEC33861C0CCD1729A1ABFB909ED1',X'F819B93553C44CED9A34566DC20F310066A0FEC98996254144F5EAE43EF4D729');
INSERT INTO "events" VALUES('table:prime-1',3,'press-2/1','round-tabulated',1,1777660003000000,'{"dealer":"Kim","round":"r2","table":"prime-1","wagers":[{"collected":true,"count":3,"counter":5,"jackpot":"final-four","lammers":[],"positions":[1,2,3],"stakes":[[10000,3]],"wager":"final-four"},{"collected":true,"count":0,"counter":0,"jackpot":null,"lammers":[],"positions":[],"stakes":[],"wager":"all-seven"}]}',X'43A227CC7C138324D6E69D2E1C6D2BA4FC69B8BBD4B691EEA7145F8F6CD0EDC8',X'F819B93553C44CED9A34566DC20F310066A0FEC98996254144F5EAE43EF4D729',X'E036248A83730CCAC99FA161FDFBAF4BBD5B1561C26AC65EE7A19ED0AC6540EF');
INSERT INTO "events" VALUES('table:prime-1',4,'press-3/1','round-tabulated',1,1777660004000000,'{"dealer":"Kim","round":"r1","table":"prime-1","wagers":[{"collected":true,"count":1,"counter":6,"jackpot":"final-four","lammers":[],"positions":[4],"stakes":[[10000,1]],"wager":"final-four"},{"collected":true,"count":0,"counter":0,"jackpot":null,"lammers":[],"positions":[],"stakes":[],"wager":"all-seven"}]}',X'17B53E2A6CD648DBB0565F5A9F0288A0ABDB23C428F3FC639A6E88287A8C2466',X'E036248A83730CCAC99FA161FDFBAF4BBD5B1561C26AC65EE7A19ED0AC6540EF',X'90A505A6059B6AF06C7055517B32F80C4AEBE1FCD97923060FC02CB7FC9DC415');
INSERT INTO "events" VALUES('table:prime-1',5,'b/1','tabulator-broken',1,1777660005000000,'{"by":"Kim","reason":"the button sticks","table":"prime-1"}',X'8F902B271EE027690B62F264B4704D3299FED02CDB79CEA8F623C0A3030F3A68',X'90A505A6059B6AF06C7055517B32F80C4AEBE1FCD97923060FC02CB7FC9DC415',X'B6EDD52F77635FDB2DA65FE5C6BADA79000C3C11501983FA96D55D748C7812D9');
INSERT INTO "events" VALUES('table:prime-1',6,'hand-1/1','counted-by-hand',1,1777660006000000,'{"by":"Sam","round":"by hand","table":"prime-1","wagers":[{"collected":true,"count":1,"jackpot":"final-four","lammers":[],"positions":[5],"stakes":[[10000,1]],"wager":"final-four"},{"collected":true,"count":0,"jackpot":null,"lammers":[],"positions":[],"stakes":[],"wager":"all-seven"}]}',X'27084A95B59F43876E6D68EC461FB1C6D77C520476CC32F7DFBAA7B828773D42',X'B6EDD52F77635FDB2DA65FE5C6BADA79000C3C11501983FA96D55D748C7812D9',X'E735414504A3E305D4E83E560859217FE21C6EAC483AFF98E40DE1BD4CCA9124');
INSERT INTO "events" VALUES('table:prime-1',7,'hand-2/1','counted-by-hand',1,1777660007000000,'{"by":"Sam","round":"two\nlines","table":"prime-1","wagers":[{"collected":true,"count":1,"jackpot":"final-four","lammers":[],"positions":[5],"stakes":[[10000,1]],"wager":"final-four"},{"collected":true,"count":0,"jackpot":null,"lammers":[],"positions":[],"stakes":[],"wager":"all-seven"}]}',X'C398BF6CD8A3232779C207C18749A2DB0168F750E86C49CE2CC4301FDDE7D25E',X'E735414504A3E305D4E83E560859217FE21C6EAC483AFF98E40DE1BD4CCA9124',X'619BC01AF021E05CDD6F7330BAEA3F925121507E08CCD471DD7415FFF83825A1');
INSERT INTO "events" VALUES('table:prime-1',8,'hand-3/1','counted-by-hand',1,1777660008000000,'{"by":"Sam","round":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx","table":"prime-1","wagers":[{"collected":true,"count":1,"jackpot":"final-four","lammers":[],"positions":[5],"stakes":[[10000,1]],"wager":"final-four"},{"collected":true,"count":0,"jackpot":null,"lammers":[],"positions":[],"stakes":[],"wager":"all-seven"}]}',X'D8C5F9AD6EA83E8BF637EC9CA4F31D3A9C261E170ECDEE333FC4E80C647DCD27',X'619BC01AF021E05CDD6F7330BAEA3F925121507E08CCD471DD7415FFF83825A1',X'F039C6D9E28C5D1AE4C81F5ED2745637DC3A6C17639F32876B35C6BC8AC48D1E');
INSERT INTO "events" VALUES('table:prime-1',9,'c/1','tabulator-repaired',1,1777660009000000,'{"by":"Ted","counters":[6,0],"table":"prime-1","unit":"unit-1"}',X'748470E4F3388595ACEECC42E11B574BA21992A72FAEDDD89B7731E445047167',X'F039C6D9E28C5D1AE4C81F5ED2745637DC3A6C17639F32876B35C6BC8AC48D1E',X'653CAB29EEB39312F08A2B1D4FE5BE3A83759AAD84A85BAA0619CFD938B6AC03');
INSERT INTO "events" VALUES('table:prime-1',10,'void/1','round-voided',1,1777660010000000,'{"by":"Sam","reason":"the shuffler jammed","round":"r2","table":"prime-1","wagers":[{"collected":true,"count":3,"jackpot":"final-four","lammers":[],"positions":[1,2,3],"stakes":[[10000,3]],"wager":"final-four"},{"collected":true,"count":0,"jackpot":null,"lammers":[],"positions":[],"stakes":[],"wager":"all-seven"}]}',X'6316775788C52EEF0DF76651DD15438B8D1D5A12AFC615A9B7E67C792511540D',X'653CAB29EEB39312F08A2B1D4FE5BE3A83759AAD84A85BAA0619CFD938B6AC03',X'DECD3648566B69499817C5A09C8C3C5AA4B3F6562E599199397203E373CAE72D');
INSERT INTO "events" VALUES('table:prime-1',11,'press-4/1','round-tabulated',1,1777660011000000,'{"dealer":"Kim","round":"r3","table":"prime-1","wagers":[{"collected":true,"count":2,"counter":8,"jackpot":"final-four","lammers":[],"positions":[1,6],"stakes":[[10000,2]],"wager":"final-four"},{"collected":true,"count":0,"counter":0,"jackpot":null,"lammers":[],"positions":[],"stakes":[],"wager":"all-seven"}]}',X'621065D0759F434C2975E68C7F4F9F1328D40B09CC36B6A1E05AE7BAD9C02672',X'DECD3648566B69499817C5A09C8C3C5AA4B3F6562E599199397203E373CAE72D',X'CFD998060F02431B7C30E5EE4835AE9842C1A580C2DE9109291B8A3C542FB5DB');
CREATE TABLE heads (
	chain TEXT NOT NULL, 
	sequence INTEGER NOT NULL, 
	hash BLOB NOT NULL, 
	time INTEGER NOT NULL, 
	snapshot TEXT NOT NULL, 
	seal BLOB NOT NULL, 
	PRIMARY KEY (chain)
)
 WITHOUT ROWID,
 STRICT

;
INSERT INTO "heads" VALUES('jackpot:final-four',11,X'3CE9DB2D1B00610239A60BE07517A53B64ABE7103AB62FC46E73972D473C298C',1777660012000000,'{"claimed":["prime-1 r3 fixed"],"claims":[],"collects":true,"counted":8,"disabled":null,"escrow":0,"id":"final-four","kind":"progressive","meters":[{"carry":0,"contributed":20000,"display":50016000,"hits":0,"name":"main","over":5,"overflow":0,"parameters":{"ceiling":null,"contribution":"1/5","minimum":0,"reserve":"1/20","seed":50000000},"pending":0,"reserve":4000,"reserve_carry":0,"reserve_over":20,"reserve_step":1,"seed_owed":50000000,"step":1,"won":0}],"order":0,"removed":false,"setup":{"id":"final-four","jurisdiction":"washington","kind":"progressive","levels":[{"contribution":"1/5","minimum":"$0","name":"main","pays":["four-card-diamond-royal","four-card-royal"],"reserve":"1/20","seed":"$5,000"}],"location":"Lakewood","name":"Final Four Progressive","offers":[{"bonuses":{},"game":"three-card-prime","paytable":"F4P-1","wager":"final-four"}],"wagers":["$1"]},"short":0,"tables":["prime-1"],"undeposited":50020000,"wagered":80000,"wagers":[100],"waiting":[]}',X'0218B85E2396197A495727478DBC2F9C2AC7F6BD8148CAE4DC861DE28BB58A89');
INSERT INTO "heads" VALUES('table:prime-1',11,X'CFD998060F02431B7C30E5EE4835AE9842C1A580C2DE9109291B8A3C542FB5DB',1777660011000000,'{"sensors":"{\"game\":\"three-card-prime\",\"location\":\"Lakewood\",\"positions\":6,\"sensors\":[{\"amount\":\"$1\",\"jackpot\":\"final-four\",\"kind\":\"progressive\",\"paytable\":\"F4P-1\",\"wager\":\"final-four\"},{\"amount\":\"$1\",\"paytable\":\"A7P-1\",\"wager\":\"all-seven\"}],\"table\":\"prime-1\",\"tabulator\":\"andromeda-3d\"}","setup":"{\"game\":\"three-card-prime\",\"jurisdiction\":\"washington\",\"seats\":6,\"wagers\":{\"ante-play\":{\"limits\":{\"max\":\"$200\",\"min\":\"$10\",\"step\":\"$10\"},\"paytable\":\"PW/BB 1\"},\"prime\":{\"limits\":{\"max\":\"$100\",\"min\":\"$1\",\"step\":\"$1\"},\"paytable\":\"PRW-1\"},\"pair-bonus\":{\"limits\":{\"max\":\"$100\",\"min\":\"$1\",\"step\":\"$1\"},\"paytable\":\"PB 1+PB/LD 1\"},\"all-six\":{\"limits\":{\"max\":\"$5\",\"min\":\"$1\",\"step\":\"$1\"},\"paytable\":\"A6-1\"},\"final-four\":{\"limits\":{\"max\":\"$1\",\"min\":\"$1\",\"step\":\"$1\"},\"paytable\":\"F4P-1\"},\"all-seven\":{\"limits\":{\"max\":\"$1\",\"min\":\"$1\",\"step\":\"$1\"},\"paytable\":\"A7P-1\"}}}","tabulator":{"broken":null,"counters":[8,0],"dark":[[],[]],"form":1,"logger":null,"round":{"by_hand":false,"lammers":[[],[]],"positions":[[1,6],[]],"round":"r3"},"table":{"game":"three-card-prime","location":"Lakewood","positions":6,"table":"prime-1","tabulator":"andromeda-3d","wagers":[{"amount":100,"jackpot":"final-four","kind":"progressive","lammer_amount":null,"lammer_sensor":null,"removed":true,"sensor":1,"wager":"final-four"},{"amount":100,"jackpot":null,"kind":null,"lammer_amount":null,"lammer_sensor":null,"removed":true,"sensor":2,"wager":"all-seven"}]},"tallies":[[8,3,3],[0,0,0]],"unit":"unit-1","voided":["r2"]}}',X'71E9CD96E6E6CFA4F763BDA935590543853DEA237CB7E75163B5BD429B426A21');
CREATE TABLE ledger_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT ledger_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "ledger_version" VALUES('0001');
CREATE TRIGGER events_refuse_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'What stands in events is never changed: a correction is a new event.'); END;
CREATE TRIGGER events_refuse_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'What stands in events is never changed: a correction is a new event.'); END;
CREATE TRIGGER events_refuse_replace BEFORE INSERT ON events WHEN EXISTS (SELECT 1 FROM events WHERE chain = NEW.chain AND sequence = NEW.sequence) BEGIN SELECT RAISE(ABORT, 'What stands in events is never changed: a correction is a new event.'); END;
CREATE TRIGGER entries_refuse_update BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'What stands in entries is never changed: a correction is a new event.'); END;
CREATE TRIGGER entries_refuse_delete BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'What stands in entries is never changed: a correction is a new event.'); END;
CREATE TRIGGER entries_refuse_replace BEFORE INSERT ON entries WHEN EXISTS (SELECT 1 FROM entries WHERE chain = NEW.chain AND sequence = NEW.sequence AND line = NEW.line) BEGIN SELECT RAISE(ABORT, 'What stands in entries is never changed: a correction is a new event.'); END;
CREATE TRIGGER commands_refuse_update BEFORE UPDATE ON commands BEGIN SELECT RAISE(ABORT, 'What stands in commands is never changed: a correction is a new event.'); END;
CREATE TRIGGER commands_refuse_delete BEFORE DELETE ON commands BEGIN SELECT RAISE(ABORT, 'What stands in commands is never changed: a correction is a new event.'); END;
CREATE TRIGGER commands_refuse_replace BEFORE INSERT ON commands WHEN EXISTS (SELECT 1 FROM commands WHERE id = NEW.id) BEGIN SELECT RAISE(ABORT, 'What stands in commands is never changed: a correction is a new event.'); END;
COMMIT;
