/** Why a message was not sent although it could have been: another process may send it. Shown to the owner of the destination. */
export const WITHHELD = "splitwatch lost the connection to its database; the message is sent when it is back";
