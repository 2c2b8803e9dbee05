;;; glossator-eglot.el --- Glossator with Eglot  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Eglot talks to one server in a buffer, so in the modes of `glossator-modes' that is Glossator.
;; Set `glossator-modes' to those you want it in before `glossator-eglot-setup'.

;;; Code:

(require 'cl-lib)
(require 'eglot)
(require 'jsonrpc)
(require 'glossator)

(defclass glossator-eglot-server (eglot-lsp-server) ()
  :documentation "A Glossator server under Eglot.")

;;;###autoload
(defun glossator-eglot-setup ()
  "Let Eglot start Glossator in the modes of `glossator-modes'."
  (interactive)
  (setq eglot-server-programs
        (cons (cons glossator-modes #'glossator-eglot--contact)
              (cl-remove #'glossator-eglot--contact eglot-server-programs :key #'cdr)))
  (add-hook 'glossator-server-functions #'glossator-eglot--server)
  (add-hook 'eglot-managed-mode-hook #'glossator-eglot--show-mode))

(defun glossator-eglot--show-mode ()
  "Show the menu in buffers that Glossator manages."
  (glossator-mode (if (and (eglot-managed-p) (glossator-eglot--server)) 1 -1)))

(defun glossator-eglot--contact (&rest _)
  "Return how Eglot is to start the server, or say why it cannot."
  (when-let ((missing (glossator-explain-missing-command)))
    (user-error "%s" missing))
  (cons 'glossator-eglot-server glossator-command))

(defun glossator-eglot--server ()
  "Return this buffer's Glossator server under Eglot, or nil."
  (let ((server (eglot-current-server)))
    (and (cl-typep server 'glossator-eglot-server) server)))

(cl-defmethod eglot-initialization-options ((server glossator-eglot-server))
  "Return Glossator's options for the project of SERVER."
  (glossator-initialization-options (car (glossator-roots server))))

(cl-defmethod glossator-roots ((server glossator-eglot-server))
  "Return the folders that SERVER works in."
  (mapcar (lambda (folder) (glossator-uri-to-file (plist-get folder :uri)))
          (eglot-workspace-folders server)))

(cl-defmethod glossator-encoding ((server glossator-eglot-server))
  "Return the unit that SERVER and newer versions of Eglot agree on."
  (or (plist-get (eglot--capabilities server) :positionEncoding) "utf-16"))

(cl-defmethod glossator-send ((server glossator-eglot-server) params on-result on-error)
  "Send SERVER the command in PARAMS; ON-RESULT or ON-ERROR gets what comes."
  ;; The server must know what was typed a moment ago.
  (when (eglot-managed-p)
    (eglot--signal-textDocument/didChange))
  (jsonrpc-async-request
   server :workspace/executeCommand params
   :success-fn on-result
   :error-fn (jsonrpc-lambda (&key message &allow-other-keys)
               (funcall on-error (glossator-eglot--explain-end server message)))
   ;; A model may take minutes; stopping is the user's decision.
   :timeout nil))

(defun glossator-eglot--explain-end (server message)
  "Return MESSAGE, and what to do when it comes from SERVER having ended."
  (if (jsonrpc-running-p server)
      message
    (glossator-say "the server ended; M-x eglot-reconnect starts it again, M-x \
eglot-stderr-buffer shows its last words"
                   "服务器已退出；M-x eglot-reconnect 重新启动，M-x eglot-stderr-buffer 查看日志")))

(cl-defmethod glossator-restart-server ((server glossator-eglot-server))
  "Start SERVER again."
  (eglot-reconnect server t))

(cl-defmethod glossator-choose-action ((_server glossator-eglot-server) kind)
  "Choose among the code actions of KIND at point."
  (eglot-code-actions (if (use-region-p) (region-beginning) (point))
                      (if (use-region-p) (region-end) (line-end-position))
                      (intern kind) t))

(cl-defmethod glossator-notify ((server glossator-eglot-server) method params)
  "Send SERVER the notification METHOD with PARAMS."
  (jsonrpc-notify server (intern (concat ":" method)) params))

(cl-defmethod eglot-handle-notification
  ((_server glossator-eglot-server) (_method (eql $/progress)) &rest params)
  "Take the events of answers; leave other progress, in PARAMS, to Eglot."
  (unless (glossator-handle-progress (plist-get params :token) (plist-get params :value))
    ;; Answers have progress for people too, which newer versions of Eglot show.
    (cl-call-next-method)))

(defun glossator-eglot--show-action (server command arguments)
  "Show the answer of COMMAND with ARGUMENTS, from a code action of SERVER.
Return nil when it is not a command with an answer."
  (when-let ((title (glossator-title-of-action command)))
    (glossator-show-command server command (elt arguments 0) title)
    t))

(cl-defmethod eglot-execute-command ((server glossator-eglot-server) command arguments)
  "Run COMMAND with ARGUMENTS on SERVER, and show its answer if it has one."
  (or (glossator-eglot--show-action server (format "%s" command) arguments)
      (cl-call-next-method)))

;; From Eglot 1.13 on, code actions go this way instead.
(when (fboundp 'eglot-execute)
  (cl-defmethod eglot-execute :around ((server glossator-eglot-server) action)
    "Show the answer of ACTION, if it has one."
    (let ((command (if (stringp (plist-get action :command))
                       action
                     (plist-get action :command))))
      (or (and (null (plist-get action :edit))
               (glossator-eglot--show-action server (plist-get command :command)
                                             (plist-get command :arguments)))
          (cl-call-next-method)))))

(provide 'glossator-eglot)
;;; glossator-eglot.el ends here
